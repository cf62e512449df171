package org.junit.jupiter.api;

import java.util.Objects;
import org.opentest4j.AssertionFailedError;

/** Stands for JUnit's own, as far as the tests of this example need it. */
public final class Assertions {
    private Assertions() {}

    public interface Executable {
        void execute() throws Throwable;
    }

    public static void assertEquals(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionFailedError("expected: <" + expected + "> but was: <" + actual + ">");
        }
    }

    public static void assertTrue(boolean condition) {
        assertEquals(true, condition);
    }

    public static void assertTrue(boolean condition, String message) {
        if (!condition) {
            throw new AssertionFailedError(message + " ==> expected: <true> but was: <false>");
        }
    }

    public static void assertFalse(boolean condition) {
        assertEquals(false, condition);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable executable) {
        try {
            executable.execute();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            String told = "Unexpected exception type thrown, expected: <" + expected.getName() + "> but was: <";
            throw new AssertionFailedError(told + thrown.getClass().getName() + ">");
        }
        throw new AssertionFailedError("Expected " + expected.getName() + " to be thrown, but nothing was thrown.");
    }
}
