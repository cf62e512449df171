package grader.host;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** System.out of one run: held back until {@link #send}, and open for the next run even when it is closed. */
final class CaseOutput extends OutputStream {
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final byte[] held = new byte[8192];
    private int count;
    private boolean direct;

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        if (count + length > held.length) {
            send();
        }
        if (length > held.length) {
            out.write(bytes, offset, length);
            return;
        }
        System.arraycopy(bytes, offset, held, count, length);
        count += length;
        if (direct) {
            send();
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Write what was held back. */
    synchronized void send() throws IOException {
        out.write(held, 0, count);
        count = 0;
    }

    /** Hold nothing back from now on. */
    synchronized void direct() throws IOException {
        direct = true;
        send();
    }
}
