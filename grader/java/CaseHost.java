package grader.host;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.ZipInputStream;

/**
 * Runs a student's program again and again in one Java machine, each time as if it were the first.
 *
 * <p>Each run gets a class loader of its own, and so fresh statics; a thread called main; and streams of its own. Input
 * is asked for and given over descriptor 3, a socket, so that the other end (grader/sessions/jvm.py) knows exactly
 * when the program waits. Output goes to descriptor 1, and is there before anything is said on the socket. Messages are a
 * letter; some carry numbers of four bytes, the highest first:
 *
 * <pre>
 * to us:    R n        run the program; Math.random() draws the numbers of seed n
 *           I n bytes  input
 *           E          the input ends
 *           Q          leave the program where it waits
 * from us:  A          it asks for input
 *           X n        it ended with code n
 *           L          it was left
 * </pre>
 *
 * <p>System.exit is sent here by the class loader. A thread that must not go on (it called exit, or was left where it
 * waits) is parked for good. So no code of the student's, such as a finally block, runs that would not have run. A run may
 * leave something that the next one could notice (threads, hooks, half of the heap), or too many parked threads. Then this
 * Java machine ends with the exit code of the program, as the program itself would have, and the other end starts another.
 */
public final class CaseHost {
    private static final int MOST_PARKED = 300;

    private static CaseHost host;

    private final DataInputStream orders;
    private final OutputStream reports;
    private final Map<String, byte[]> classes;
    private final String main;
    private final long stackSize;
    private final Field number = Thread.class.getDeclaredField("tid"); // its method may be overridden
    private final Set<Long> own = new HashSet<>(); // numbers, since all objects have one hash code here
    private final Set<Long> parked = Collections.synchronizedSet(new HashSet<>());
    private final CaseSettings settings = new CaseSettings();
    private Run run;

    private CaseHost(FileDescriptor socket, Map<String, byte[]> classes, String main, long stackSize)
            throws ReflectiveOperationException {
        number.setAccessible(true);
        this.orders = new DataInputStream(new BufferedInputStream(new FileInputStream(socket)));
        this.reports = new FileOutputStream(socket);
        this.classes = classes;
        this.main = main;
        this.stackSize = stackSize;
    }

    /** Arguments: the jar of the student's classes, the name of the one to start, the bytes of its main stack. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        var socket = FileDescriptor.class.getDeclaredConstructor(int.class);
        socket.setAccessible(true);
        var classes = read(arguments[0]);
        host = new CaseHost(socket.newInstance(3), classes, arguments[1], Long.parseLong(arguments[2]));
        host.serve();
    }

    private static Map<String, byte[]> read(String jar) throws IOException {
        var classes = new HashMap<String, byte[]>();
        try (var in = new ZipInputStream(new FileInputStream(jar))) {
            for (var entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName().replace(".class", "").replace('/', '.');
                classes.put(name, ExitRedirection.apply(in.readAllBytes()));
            }
        }
        return classes;
    }

    private void serve() throws IOException {
        strays().forEach(one -> own.add(numberOf(one)));
        while (orders.read() == 'R') {
            run = new Run();
            run.start(orders.readInt());
            run.await();
        }
    }

    /** What System.exit does in a student's class. */
    public static void exit(int code) {
        host.run.exit(code);
    }

    /** All live threads but those of the JVM and of this host, and those that are parked. */
    private List<Thread> strays() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        Thread[] alive = new Thread[top.activeCount() + 64];
        int count = top.enumerate(alive);
        List<Thread> strays = new ArrayList<>();
        for (Thread one : Arrays.asList(alive).subList(0, count)) {
            if (!own.contains(numberOf(one)) && !isParked(one)) {
                strays.add(one);
            }
        }
        return strays;
    }

    private long numberOf(Thread one) {
        try {
            return number.getLong(one);
        } catch (IllegalAccessException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    private boolean isParked(Thread one) {
        return parked.contains(numberOf(one));
    }

    /** Whether the next run has half of the heap at least: parked threads keep what they hold. */
    private static boolean hasRoom() {
        Runtime machine = Runtime.getRuntime();
        return machine.totalMemory() - machine.freeMemory() <= machine.maxMemory() / 2;
    }

    private static boolean hasHooks() {
        try {
            var hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
            hooks.setAccessible(true);
            return !((Map<?, ?>) hooks.get(null)).isEmpty();
        } catch (ReflectiveOperationException unknown) {
            throw new IllegalStateException(unknown);
        }
    }

    /** Standard error, which a run cannot close. */
    private static FilterOutputStream errors() {
        return new FilterOutputStream(new FileOutputStream(FileDescriptor.err)) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() {}
        };
    }

    /** One run of the program. */
    private final class Run implements CaseInput.Giver {
        private final CaseOutput output = new CaseOutput();
        private Thread thread;
        private int code;
        private boolean over;

        void start(int seed) {
            settings.restore(seed);
            System.setIn(new BufferedInputStream(new CaseInput(this)));
            System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
            System.setErr(new PrintStream(errors(), true, StandardCharsets.UTF_8));
            var loader = new CaseLoader(classes);
            thread = new Thread(new ThreadGroup("main"), () -> call(loader), "main", stackSize);
            thread.setContextClassLoader(loader);
            thread.start();
        }

        private void call(ClassLoader loader) {
            try {
                var method = loader.loadClass(main).getMethod("main", String[].class);
                method.setAccessible(true);
                method.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException thrown) {
                fail(thrown.getCause());
            } catch (Throwable thrown) { // of its class, before its main
                fail(thrown);
            }
        }

        private void fail(Throwable thrown) {
            code = 1;
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }

        /** Wait until the program has ended or was left; the report is then made, or this Java machine is ended. */
        void await() {
            for (Thread one = lasting(); one != null; one = lasting()) {
                join(one);
            }
            synchronized (this) {
                if (!over) {
                    end(code);
                }
            }
        }

        private void join(Thread one) {
            synchronized (one) {
                try {
                    while (one.isAlive() && !isParked(one)) {
                        one.wait(); // a thread that ends or is parked notifies
                    }
                } catch (InterruptedException byTheProgram) {
                    return; // await comes back to this thread
                }
            }
        }

        /** A thread that keeps the program from being over; null without one, or if it was ended otherwise. */
        private Thread lasting() {
            synchronized (this) {
                if (over) {
                    return null;
                }
            }
            return strays().stream().filter(one -> !one.isDaemon()).findFirst().orElse(null);
        }

        void exit(int status) {
            synchronized (this) {
                if (!over) {
                    parked.add(numberOf(Thread.currentThread()));
                    end(status);
                }
            }
            park();
        }

        /** The program is left where it waits. */
        void leave() throws IOException {
            synchronized (this) {
                parked.add(numberOf(Thread.currentThread()));
                over = true;
                if (!clean()) {
                    Runtime.getRuntime().halt(0);
                }
                report('L');
            }
            park();
        }

        private void end(int status) {
            over = true;
            try {
                if (!clean()) {
                    output.direct();
                    Runtime.getRuntime().exit(status);
                }
                output.send();
                report('X', status);
            } catch (IOException gone) { // nobody listens any more
                Runtime.getRuntime().halt(1);
            }
        }

        private boolean clean() {
            return strays().isEmpty() && parked.size() <= MOST_PARKED && hasRoom() && !hasHooks();
        }

        private void park() {
            Thread self = Thread.currentThread();
            synchronized (self) {
                self.notifyAll(); // the host may be waiting for its end
            }
            while (true) {
                LockSupport.park();
                Thread.interrupted();
            }
        }

        @Override
        public byte[] ask() throws IOException {
            output.send();
            report('A');
            switch (orders.read()) {
                case 'I':
                    return orders.readNBytes(orders.readInt());
                case 'E':
                    return null;
                default: // Q, or the other end is gone
                    leave();
                    return null;
            }
        }

        private void report(char what, int... numbers) throws IOException {
            var message = ByteBuffer.allocate(1 + Integer.BYTES * numbers.length).put((byte) what);
            for (int number : numbers) {
                message.putInt(number);
            }
            reports.write(message.array()); // in one piece
        }
    }
}
