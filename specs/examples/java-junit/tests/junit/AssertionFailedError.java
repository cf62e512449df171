package org.opentest4j;

/** Stands for JUnit's own: what was asserted is not so. */
public class AssertionFailedError extends AssertionError {
    public AssertionFailedError(String message) {
        super(message);
    }
}
