import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The class that the course hands out: a program that inherits from it reads numbers and lines by {@code stdin}.
 *
 * <pre>
 * public class Nim_Spiel extends Environment {
 *     public static void main(String[] args) {
 *         int number = stdin.readInt();
 *     }
 * }
 * </pre>
 */
public class Environment {

    /** Standard input. */
    protected static final Input stdin = new Input();

    /**
     * The typed input, read one line at a time.
     *
     * <p>A line is taken from {@code System.in} only when it is needed, and never a byte beyond it. So a Scanner or a Reader
     * beside it finds every later line. Numbers and characters may share a line.
     */
    public static class Input {
        private String line = "";

        private Input() {
        }

        /**
         * The next whole number.
         *
         * @throws NumberFormatException if the next word is no number; the word is used up then
         */
        public int readInt() {
            return Integer.parseInt(word());
        }

        /**
         * The next number, written with a point.
         *
         * @throws NumberFormatException if the next word is no number; the word is used up then
         */
        public double readDouble() {
            return Double.parseDouble(word());
        }

        /** The next character that is no blank. */
        public char readChar() {
            skipBlanks();
            char first = line.charAt(0);
            line = line.substring(1);
            return first;
        }

        /** The rest of a line that was read in part, or else the next line; without its end. */
        public String readLine() {
            String rest = line.trim().isEmpty() ? nextLine() : line;
            line = "";
            return rest;
        }

        private String word() {
            skipBlanks();
            int end = 0;
            while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
                end++;
            }
            String word = line.substring(0, end);
            line = line.substring(end);
            return word;
        }

        private void skipBlanks() {
            line = line.stripLeading();
            while (line.isEmpty()) {
                line = nextLine().stripLeading();
            }
        }

        private static String nextLine() {
            StringBuilder typed = new StringBuilder();
            try {
                int next = System.in.read();
                if (next < 0) {
                    throw new IllegalStateException("the input has ended");
                }
                while (next >= 0 && next != '\n') {
                    typed.append((char) next);
                    next = System.in.read();
                }
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
            int last = typed.length() - 1;
            return last >= 0 && typed.charAt(last) == '\r' ? typed.substring(0, last) : typed.toString();
        }
    }
}
