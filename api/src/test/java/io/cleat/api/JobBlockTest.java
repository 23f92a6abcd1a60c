package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.MigratePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class JobBlockTest {
    private record Wire(
            @Nullable Integer Count,
            @Nullable List<String> Words,
            @Nullable Long MaxDelay,
            long Grace,
            @Nullable String Mode,
            @Nullable Map<String, String> Meta) {}

    private record Model(
            int count,
            List<String> words,
            Duration maxDelay,
            Duration grace,
            @Nullable String mode,
            Map<String, String> meta) {}

    private static final JobBlock<Wire, Model> BLOCK = JobBlock.of("some", Wire.class, Model.class)
            .fields(
                    JobField.number("Count").usually(3, 7),
                    JobField.texts("Words"),
                    JobField.duration("MaxDelay"),
                    JobField.duration("Grace").usually(Duration.ofSeconds(2)),
                    JobField.text("Mode").usually("plain"),
                    JobField.textsByName("Meta"))
            .done();

    private static final Wire NOTHING = new Wire(null, null, null, 0, null, null);

    @Test
    void namesFollowFromThatOnTheWire() {
        assertEquals("health_timeout", JobField.duration("HealthTimeout").file());
        assertEquals("healthTimeout", JobField.duration("HealthTimeout").model());
        assertEquals("id", JobField.text("ID").file());
        assertEquals("id", JobField.text("ID").model());
        assertEquals("csi_plugin", JobField.text("CSIPlugin").file());
        assertEquals("csiPlugin", JobField.text("CSIPlugin").model());
    }

    @Test
    void whatSaysNothingIsFilledIn_withWhatIsUsualThere() {
        Wire usual = new Wire(3, null, null, 2_000_000_000L, "plain", null);
        assertEquals(usual, BLOCK.filledIn(NOTHING));
        assertEquals(usual, BLOCK.filledIn(new Wire(null, null, null, 0, "", null)), "an empty text says nothing");
        assertEquals(usual, BLOCK.usual());
        assertEquals(7, BLOCK.usualOfBatch().Count());
        Wire given = new Wire(0, List.of(), 0L, 1, "other", Map.of());
        assertEquals(given, BLOCK.filledIn(given));
    }

    @Test
    void whatSaysNothingIsEmptyInTheModel_andNullOnTheWireAgain() {
        Model empty = BLOCK.toModel(NOTHING);
        assertEquals(new Model(0, List.of(), Duration.ZERO, Duration.ZERO, null, Map.of()), empty);
        assertEquals(new Wire(0, null, 0L, 0, null, null), BLOCK.toWire(empty));
        Wire given = new Wire(4, List.of("a"), 5L, 6, "m", Map.of("k", "v"));
        assertEquals(given, BLOCK.toWire(BLOCK.toModel(given)));
    }

    @Test
    void aComponentThatNoLineNamesIsFound_andALineWithoutOne() {
        JobBlock.Lines<MigrateStrategy, MigratePolicy> forgetful = JobBlock.of(
                        "migrate", MigrateStrategy.class, MigratePolicy.class)
                .fields(JobField.text("HealthCheck"), JobField.number("MaxParallel"));
        String forgotten =
                assertThrows(IllegalArgumentException.class, forgetful::done).toString();
        assertTrue(forgotten.contains("nothing of MigrateStrategy makes minHealthyTime of MigratePolicy"), forgotten);
        JobBlock.Lines<MigrateStrategy, MigratePolicy> unknown = JobBlock.of(
                        "migrate", MigrateStrategy.class, MigratePolicy.class)
                .fields(JobField.text("Colour"));
        assertTrue(assertThrows(IllegalArgumentException.class, unknown::done)
                .toString()
                .contains("MigrateStrategy has no component Colour"));
    }
}
