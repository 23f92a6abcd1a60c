package io.cleat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code ./dev fuzz} understands. */
final class OptionsTest {
    private static final List<String> KNOWN = List.of("one", "two");

    private static Options of(String... args) {
        return Options.of(args, KNOWN);
    }

    @Test
    void timeSeedTargetsAndReplayAreRead() {
        Options all = of("-minutes", "0.5", "-seed", "7", "all");
        assertEquals(Duration.ofSeconds(30), all.time());
        assertEquals(7, all.seed());
        assertEquals(KNOWN, all.targets());
        assertEquals(Optional.of(Path.of("f")), of("-replay", "f", "two").replay());
        assertEquals(List.of(), of().targets());
    }

    @Test
    void whatCannotBeUnderstoodIsSaidWithWhatThereIs() {
        String words = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> of("three")).getMessage());
        assertTrue(words.contains("three") && words.contains("[one, two]"), words);
        assertThrows(IllegalArgumentException.class, () -> of("-minutes"));
        assertThrows(IllegalArgumentException.class, () -> of("-replay", "f", "all"));
    }
}
