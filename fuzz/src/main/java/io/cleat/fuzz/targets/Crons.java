package io.cleat.fuzz.targets;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.fuzz.Target;
import io.cleat.model.CronTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The times of periodic jobs. */
final class Crons implements Target {
    private static final int TIMES = 3;
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    @Override
    public String name() {
        return "crons";
    }

    @Override
    public String about() {
        return "the times of periodic jobs, and the next few of them";
    }

    @Override
    public List<byte[]> samples() {
        return List.of(
                        "*/15 0-4,6 1,15 JAN-MAR MON",
                        "0 3 * * *",
                        "@weekly",
                        "0 12 L * FRI#2 2030",
                        "30 0 12 15W 2,4 5L 2026-2028")
                .stream()
                .map(Samples::bytes)
                .toList();
    }

    @Override
    public List<String> words() {
        return List.of(
                "*", "?", "/", "-", ",", "#", "L", "W", "LW", "L-3", "*/7", "31", "30 2", "29 2", "2099", "SUN", "DEC",
                "@daily", " ");
    }

    @Override
    public void run(byte[] input) throws Exception {
        CronTimes times;
        try {
            times = CronTimes.parse(Samples.text(input));
        } catch (IllegalArgumentException wrong) {
            throw new Refused(new Refusal.Invalid(String.valueOf(wrong.getMessage())));
        }
        Optional<Instant> next = Optional.of(Instant.EPOCH);
        for (int i = 0; i < TIMES && next.isPresent(); i++) {
            Instant before = next.get();
            next = times.after(before, ZONE);
            if (next.isPresent() && !next.get().isAfter(before)) {
                throw new AssertionError(next.get() + " is not after " + before);
            }
        }
    }
}
