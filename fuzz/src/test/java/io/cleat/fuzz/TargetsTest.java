package io.cleat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.fuzz.targets.Targets;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Some seconds of each target in every build; {@code -Dcleat.fuzz.seconds=N} makes them more, {@code -Dcleat.seed=N}
 * repeats what a failure names.
 */
final class TargetsTest {
    private static final Duration EACH = Duration.ofSeconds(Long.getLong("cleat.fuzz.seconds", 1));

    private final long seed = Long.getLong("cleat.seed", System.nanoTime());

    @TestFactory
    Stream<DynamicTest> nothingIsFoundInAFewSeconds() throws Exception {
        Method findings = new CoveringLoader(TargetsTest.class.getClassLoader())
                .loadClass(Fuzz.class.getName())
                .getMethod("findings", String.class, long.class, Duration.class);
        return Targets.ALL.stream()
                .map(Target::name)
                .map(name -> DynamicTest.dynamicTest(
                        name,
                        () -> assertEquals(List.of(), findings.invoke(null, name, seed, EACH), () -> "seed " + seed)));
    }
}
