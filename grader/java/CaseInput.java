package grader.host;

import java.io.IOException;
import java.io.InputStream;

/** System.in of one run, below its buffer: what is not there is asked for. */
final class CaseInput extends InputStream {
    /** Whoever gives input; null stands for its end. */
    interface Giver {
        byte[] ask() throws IOException;
    }

    private final Giver giver;
    private byte[] given = {};
    private int taken;
    private boolean ended;

    CaseInput(Giver giver) {
        this.giver = giver;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (taken == given.length && !ended) {
            byte[] more = giver.ask();
            given = more == null ? new byte[0] : more;
            taken = 0;
            ended = more == null;
        }
        int count = Math.min(length, given.length - taken);
        System.arraycopy(given, taken, into, offset, count);
        taken += count;
        return count == 0 ? -1 : count;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public synchronized int available() {
        return given.length - taken;
    }
}
