package org.junit.platform.console;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

/** Stands for JUnit's own: runs the tests of one class, each in a new object, and writes the same report. */
public final class ConsoleLauncher {
    private ConsoleLauncher() {}

    public static void main(String[] words) throws Exception {
        String tests = value(words, "--select-class=");
        Path folder = Path.of(value(words, "--reports-dir="));
        var report = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"JUnit Jupiter\">\n");
        boolean failed = false;
        Method[] methods = Class.forName(tests).getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName)); // else they come in any order
        for (Method method : methods) {
            if (method.isAnnotationPresent(Test.class)) {
                Throwable thrown = thrownBy(method);
                failed |= thrown != null;
                report.append("<testcase name=\"").append(method.getName()).append("()\" classname=\"");
                report.append(tests).append("\">").append(told(thrown)).append("</testcase>\n");
            }
        }
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("TEST-junit-jupiter.xml"), report + "</testsuite>\n");
        System.exit(failed ? 1 : 0);
    }

    private static String value(String[] words, String option) {
        for (String word : words) {
            if (word.startsWith(option)) {
                return word.substring(option.length());
            }
        }
        throw new IllegalArgumentException(option + " is missing");
    }

    private static Throwable thrownBy(Method method) throws ReflectiveOperationException {
        method.setAccessible(true);
        Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        try {
            method.invoke(constructor.newInstance());
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        }
    }

    private static String told(Throwable thrown) {
        if (thrown == null) {
            return "";
        }
        String element = thrown instanceof AssertionError ? "failure" : "error";
        var trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace));
        String said = thrown.getMessage() == null ? thrown.getClass().getName() : thrown.getMessage();
        return "<" + element + " message=\"" + escaped(said) + "\" type=\"" + thrown.getClass().getName() + "\">"
                + escaped(trace.toString()) + "</" + element + ">";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
