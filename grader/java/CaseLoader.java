package grader.host;

import java.util.Map;

/** The student's classes of one run; all others come from the platform. */
final class CaseLoader extends ClassLoader {
    private final Map<String, byte[]> classes;

    CaseLoader(Map<String, byte[]> classes) {
        super(CaseHost.class.getClassLoader());
        this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? defineClass(name, bytes, 0, bytes.length) : known;
        }
    }
}
