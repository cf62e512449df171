package grader.host;

import java.lang.reflect.Field;
import java.util.Locale;
import java.util.Properties;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;

/** What ordinary programs share with all runs in a Java machine: kept as it was at the start, and set back before each run. */
final class CaseSettings {
    private final Properties properties = (Properties) System.getProperties().clone();
    private final Locale locale = Locale.getDefault();
    private final TimeZone zone = TimeZone.getDefault();
    private final AtomicLong seeds = (AtomicLong) held("java.util.Random", "seedUniquifier"); // goes on with each new Random()
    private final long firstSeed = seeds.get();
    private final Random ofMath = (Random) held("java.lang.Math$RandomNumberGeneratorHolder", "randomNumberGenerator");

    CaseSettings() throws ReflectiveOperationException {}

    private static Object held(String type, String name) throws ReflectiveOperationException {
        Field field = Class.forName(type).getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    void restore(int seed) {
        System.setProperties((Properties) properties.clone());
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
        Thread.setDefaultUncaughtExceptionHandler(null);
        ofMath.setSeed(seed); // a grade must not hang on chance, nor tell Math.random() how many were drawn before
        seeds.set(firstSeed);
    }
}
