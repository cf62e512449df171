package grader.host;

import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * Compiles what it is sent, request after request, without touching a file: sources come in as text, classes go out.
 *
 * <p>A request on standard input and an answer on standard output are each a length (four bytes, the highest first) and
 * that number of bytes. Text inside is a length and UTF-8. Before the first request the version is said. Each request gets a file
 * manager of its own, so that nothing of one is seen by the next. No annotation processor runs, and there is no class path:
 * of the submission nothing is ever executed here. The other end is grader/build/java_server.py.
 */
public final class CompileServer {
    private static final int FAILED = 0;
    private static final int COMPILED = 1;
    private static final int WRONG_FLAGS = 2;
    private static final int MOST_DIAGNOSTICS = 100;
    private static final int LONGEST_TEXT = 4000;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] arguments) throws IOException {
        var in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        var out = new DataOutputStream(new FileOutputStream(FileDescriptor.out));
        var server = new CompileServer();
        send(out, server.hello());
        for (byte[] request = receive(in); request != null; request = receive(in)) {
            send(out, server.answer(new Request(request)));
        }
    }

    private static void send(OutputStream out, ByteArrayOutputStream message) throws IOException {
        var whole = new ByteArrayOutputStream(); // so that a message is one write
        new DataOutputStream(whole).writeInt(message.size());
        message.writeTo(whole);
        whole.writeTo(out);
    }

    private ByteArrayOutputStream hello() throws IOException {
        var hello = new ByteArrayOutputStream();
        var numbers = Runtime.version().version().stream().map(String::valueOf).collect(Collectors.joining("."));
        text(new DataOutputStream(hello), "javac " + numbers);
        return hello;
    }

    /** The next request; null at the end of input. */
    private static byte[] receive(DataInputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        byte[] request = new byte[length];
        in.readFully(request);
        return request;
    }

    private ByteArrayOutputStream answer(Request request) throws IOException {
        var problems = new DiagnosticCollector<JavaFileObject>();
        var said = new StringWriter();
        var found = new Mains(request.sources);
        int outcome = FAILED;
        Map<String, ByteArrayOutputStream> classes = Map.of();
        try (var files = new InMemoryFiles(compiler.getStandardFileManager(problems, Locale.ROOT, null))) {
            var task = (JavacTask) compiler.getTask(said, files, problems, request.flags, null, request.sources);
            task.setLocale(Locale.ENGLISH);
            found.follow(task);
            outcome = task.call() ? COMPILED : FAILED;
            classes = files.classes;
        } catch (IllegalArgumentException wrong) {
            outcome = WRONG_FLAGS;
            said.append(wrong.getMessage());
        }
        var answer = new ByteArrayOutputStream();
        var out = new DataOutputStream(answer);
        out.write(outcome);
        text(out, said.toString());
        classes(out, outcome == COMPILED ? classes : Map.of());
        mains(out, outcome == COMPILED ? found.names() : List.of());
        problems(out, problems.getDiagnostics());
        return answer;
    }

    private static void classes(DataOutputStream out, Map<String, ByteArrayOutputStream> classes) throws IOException {
        out.writeInt(classes.size());
        for (var entry : classes.entrySet()) {
            text(out, entry.getKey());
            out.writeInt(entry.getValue().size());
            entry.getValue().writeTo(out);
        }
    }

    private static void mains(DataOutputStream out, List<String> names) throws IOException {
        out.writeInt(names.size());
        for (String name : names) {
            text(out, name);
        }
    }

    private static void problems(DataOutputStream out, List<Diagnostic<? extends JavaFileObject>> problems)
            throws IOException {
        var shown = problems.subList(0, Math.min(problems.size(), MOST_DIAGNOSTICS));
        out.writeInt(shown.size());
        for (var problem : shown) {
            text(out, problem.getKind().name());
            text(out, problem.getCode());
            text(out, problem.getMessage(Locale.ENGLISH));
            out.writeInt(problem.getSource() instanceof Source source ? source.index : -1);
            out.writeInt((int) problem.getPosition());
            out.writeInt((int) problem.getStartPosition());
            out.writeInt((int) problem.getEndPosition());
        }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        String shown = text == null ? "" : text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        byte[] bytes = shown.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Flags, and sources, the student's first: texts after their numbers. */
    private static final class Request {
        final List<String> flags = new ArrayList<>();
        final List<Source> sources = new ArrayList<>();

        Request(byte[] bytes) throws IOException {
            var in = new DataInputStream(new ByteArrayInputStream(bytes));
            for (int left = in.readInt(); left > 0; left--) {
                flags.add(text(in));
            }
            int own = in.readInt();
            int all = in.readInt();
            for (int index = 0; index < all; index++) {
                sources.add(new Source(index, text(in), text(in), index < own, index < own && own == 1));
            }
        }

        private static String text(DataInputStream in) throws IOException {
            return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        }
    }

    /** One source. A student's only source may have any name: those who collect it rename what is handed in. */
    private static final class Source extends SimpleJavaFileObject {
        final int index;
        final boolean own;
        private final boolean anyName;
        private final String path;
        private final String text;

        Source(int index, String path, String text, boolean own, boolean anyName) throws IOException {
            super(address(index, path), Kind.SOURCE);
            this.index = index;
            this.path = path;
            this.text = text;
            this.own = own;
            this.anyName = anyName;
        }

        private static URI address(int index, String path) throws IOException {
            try {
                return new URI("memory", null, "/" + index + "/" + path, null);
            } catch (URISyntaxException wrong) {
                throw new IOException(wrong);
            }
        }

        @Override
        public String getName() {
            return path;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return anyName && kind == Kind.SOURCE || super.isNameCompatible(simpleName, kind);
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Reads the platform's classes and nothing else; keeps what is written. */
    private static final class InMemoryFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();

        InMemoryFiles(StandardJavaFileManager platform) throws IOException {
            super(platform);
            platform.setLocation(StandardLocation.CLASS_PATH, List.of());
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            String path = name.replace('.', '/') + kind.extension;
            return new SimpleJavaFileObject(URI.create("memory:///class"), kind) {
                @Override
                public OutputStream openOutputStream() {
                    var bytes = new ByteArrayOutputStream();
                    classes.put(path, bytes);
                    return bytes;
                }
            };
        }

        @Override
        public FileObject getFileForOutput(Location location, String folder, String name, FileObject sibling)
                throws IOException {
            throw new IOException("nothing but classes is written");
        }
    }

    /** The student's classes that {@code java} can start, in the order of the sources and of the classes in them. */
    private static final class Mains implements TaskListener {
        private final Map<URI, List<String>> found = new LinkedHashMap<>(); // an event has its source in a wrapper
        private JavacTask task;

        Mains(List<Source> sources) {
            for (Source source : sources) {
                if (source.own) {
                    found.put(source.toUri(), new ArrayList<>());
                }
            }
        }

        void follow(JavacTask task) {
            this.task = task;
            task.addTaskListener(this);
        }

        List<String> names() {
            return found.values().stream().flatMap(List::stream).collect(Collectors.toList());
        }

        @Override
        public void finished(TaskEvent event) {
            if (event.getKind() == TaskEvent.Kind.ANALYZE && found.containsKey(event.getSourceFile().toUri())) {
                look(event.getTypeElement(), found.get(event.getSourceFile().toUri()));
            }
        }

        private void look(TypeElement type, List<String> names) {
            if (task.getElements().getAllMembers(type).stream().anyMatch(this::starts)) {
                names.add(task.getElements().getBinaryName(type).toString());
            }
            for (Element inner : type.getEnclosedElements()) {
                if (inner instanceof TypeElement nested) {
                    look(nested, names);
                }
            }
        }

        private boolean starts(Element member) {
            if (member.getKind() != ElementKind.METHOD || !member.getSimpleName().contentEquals("main")) {
                return false;
            }
            var method = (ExecutableElement) member;
            return method.getModifiers().containsAll(Set.of(Modifier.PUBLIC, Modifier.STATIC))
                    && method.getReturnType().getKind() == TypeKind.VOID
                    && method.getParameters().size() == 1
                    && method.getParameters().get(0).asType().toString().equals("java.lang.String[]");
        }
    }
}
