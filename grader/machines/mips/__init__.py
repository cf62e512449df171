"""The MIPS machine of the teaching simulators: assembler and simulator."""
