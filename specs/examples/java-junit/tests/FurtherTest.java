import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests that are not given out. */
class FurtherTest {
    @Test
    void goesRound() {
        Ring ring = new Ring(2);
        ring.add(1);
        ring.add(2);
        ring.take();
        ring.add(3);
        assertEquals(2, ring.take());
        assertEquals(3, ring.take());
    }

    @Test
    void goesRoundManyTimes() {
        Ring ring = new Ring(5);
        for (int number = 0; number < 1000; number++) {
            ring.add(number);
            assertEquals(number, ring.take());
        }
    }

    @Test
    void ringsAreApart() {
        Ring one = new Ring(2);
        Ring other = new Ring(2);
        one.add(1);
        assertEquals(0, other.size());
    }

    @Test
    void refusedNumberIsNotKept() {
        Ring ring = new Ring(1);
        ring.add(1);
        assertThrows(IllegalStateException.class, () -> ring.add(2));
        assertEquals(1, ring.size());
        assertEquals(1, ring.take());
    }

    /** Fails on purpose: where it passes the results were made up. */
    @Test
    void guard() {
        assertTrue(false, "a guard");
    }
}
