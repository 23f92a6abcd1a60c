package io.cleat.launch;

import io.cleat.base.Time;
import io.cleat.base.Watched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks each second whether what must go on goes on. What is stuck for {@link #STUCK} is said to whoever asks for the
 * agent's health; after {@link #END} more the process ends, since nobody inside can mend it and a new one begins with
 * what is on disk.
 *
 * <p>Runs on one thread; the others only read what it found.
 */
final class Watchdog {
    static final Duration STUCK = Duration.ofSeconds(10);
    static final Duration END = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Longer between two looks: the machine or the process was asleep, and so were all others. */
    private static final Duration ASLEEP = Duration.ofSeconds(5);

    private final Time time;
    private final Consumer<String> end;
    private final List<Place> places = new ArrayList<>();
    private long lookedAt;
    private boolean isEnding;
    private volatile Finding finding = Finding.NONE;

    /** What was found last: how long the longest has been stuck, and in words; none for zero. */
    private record Finding(Duration stuck, String words) {
        static final Finding NONE = new Finding(Duration.ZERO, "");
    }

    /** One kind of work, with what was next when it was looked at, and since when. */
    private static final class Place {
        final Watched watched;

        @Nullable
        Object work;

        long since;

        Place(Watched watched) {
            this.watched = watched;
        }
    }

    /** @param end told once, and why */
    Watchdog(List<Watched> watched, Time time, Consumer<String> end) {
        this.time = time;
        this.end = end;
        this.lookedAt = time.nanos();
        watched.forEach(each -> places.add(new Place(each)));
    }

    /** Looks until interrupted. */
    void run() throws InterruptedException {
        while (true) {
            look();
            time.sleep(LOOK);
        }
    }

    /** What is stuck, in words; empty if all goes on. */
    Optional<String> stuck() {
        return Optional.of(finding.words()).filter(words -> !words.isEmpty());
    }

    /** For how long; 0 if all goes on. */
    double stuckSeconds() {
        return finding.stuck().toMillis() / 1000.0;
    }

    void look() {
        long now = time.nanos();
        boolean wasAsleep = now - lookedAt > ASLEEP.toNanos();
        lookedAt = now;
        Finding worst = Finding.NONE;
        for (Place place : places) {
            Finding found = look(place, now, wasAsleep);
            if (found.stuck().compareTo(worst.stuck()) > 0) {
                worst = found;
            }
        }
        finding = worst;
        if (worst.stuck().compareTo(STUCK.plus(END)) >= 0 && !isEnding) {
            isEnding = true;
            end.accept(worst.words());
        }
    }

    // Only the very same piece of work is stuck; an equal one may be the next.
    @SuppressWarnings("ReferenceEquality")
    private static Finding look(Place place, long now, boolean wasAsleep) {
        Optional<Watched.Head> head = place.watched.head();
        if (head.isEmpty()) {
            place.work = null;
            return Finding.NONE;
        }
        if (place.work != head.get().work() || wasAsleep) {
            place.work = head.get().work();
            place.since = now;
        }
        Duration age = Duration.ofNanos(now - place.since);
        return age.compareTo(STUCK) < 0
                ? Finding.NONE
                : new Finding(age, head.get().words() + " for " + age.toSeconds() + " s");
    }
}
