import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** The tests that are given out with the lab. */
class RingTest {
    private final Ring ring = new Ring(3);

    @Test
    void oneNumber() {
        ring.add(7);
        assertEquals(7, ring.take());
    }

    @Test
    void threeNumbers() {
        ring.add(1);
        ring.add(2);
        ring.add(3);
        assertEquals(1, ring.take());
        assertEquals(2, ring.take());
        assertEquals(3, ring.take());
    }

    @Test
    void sizeIsWhatIsInIt() {
        ring.add(1);
        ring.add(2);
        ring.take();
        assertEquals(1, ring.size());
    }

    @Test
    void newRingIsEmpty() {
        assertEquals(0, ring.size());
        assertFalse(ring.isFull());
    }

    @Test
    void fullRingTakesNoMore() {
        ring.add(1);
        ring.add(2);
        assertFalse(ring.isFull());
        ring.add(3);
        assertTrue(ring.isFull());
        assertThrows(IllegalStateException.class, () -> ring.add(4));
    }

    @Test
    void emptyRingGivesNothing() {
        assertThrows(NoSuchElementException.class, () -> ring.take());
    }
}
