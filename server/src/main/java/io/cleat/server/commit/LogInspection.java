package io.cleat.server.commit;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Trouble;
import io.cleat.log.StoredLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Walks a log that no server has open as a starting server would: from the newest snapshot on, each entry is applied.
 * The first that cannot be ends the applying, and the walk goes on.
 *
 * <p>Used by one thread, once.
 */
public final class LogInspection<S, C> {
    private final StateMachine<S, C> machine;
    private final Function<C, InspectedEntry.Row> row;
    private final Replica<S, C> replica;
    private long snapshotIndex = -1;
    private @Nullable String snapshotProblem;
    private @Nullable Long stuckAt;
    private long last = -1;

    /** @param row what to show of a change */
    public LogInspection(StateMachine<S, C> machine, Function<C, InspectedEntry.Row> row) {
        this.machine = machine;
        this.row = row;
        this.replica = new Replica<>(machine);
    }

    /** Shows every entry to {@code reader}. */
    public void walk(StoredLog log, Consumer<InspectedEntry> reader) {
        readSnapshot(log);
        try {
            log.read(entry -> reader.accept(inspected(entry)));
        } catch (DiskTrouble unreadable) {
            stuckAt = stuckAt == null ? Long.valueOf(last + 1) : stuckAt;
            reader.accept(new InspectedEntry(
                    last + 1, 0, "unreadable", "", null, null, null, List.of(), 0, unreadable.reason()));
        }
    }

    private void readSnapshot(StoredLog log) {
        try {
            Optional<StoredLog.Image> image = log.newestSnapshot();
            if (image.isPresent()) {
                try (InputStream from = Files.newInputStream(image.get().file())) {
                    replica.readSnapshot(image.get().index(), from);
                }
                snapshotIndex = image.get().index();
            }
        } catch (DiskTrouble unreadable) {
            snapshotProblem = unreadable.reason();
        } catch (IOException | RuntimeException | StackOverflowError unreadable) {
            snapshotProblem = "cannot read the newest snapshot: " + unreadable;
        }
    }

    private InspectedEntry inspected(StoredLog.Stored stored) {
        last = stored.index();
        InspectedEntry shown = shown(stored);
        if (shown.problem() != null) {
            stuckAt = stuckAt == null ? Long.valueOf(stored.index()) : stuckAt;
            return shown;
        }
        boolean isToApply = stuckAt == null && snapshotProblem == null && stored.index() > snapshotIndex;
        if (!isToApply || stored.bytes().isEmpty()) {
            return shown;
        }
        try {
            replica.apply(stored.index(), stored.bytes().get());
            return shown;
        } catch (Trouble | RuntimeException | StackOverflowError fault) {
            stuckAt = stored.index();
            return shown.but("it cannot be applied: " + fault);
        }
    }

    private InspectedEntry shown(StoredLog.Stored stored) {
        if (stored.bytes().isEmpty()) {
            return entry(stored, "log", "");
        }
        Entry read;
        try {
            read = EntryCodec.decode(stored.bytes().get());
        } catch (DiskTrouble unreadable) {
            return entry(stored, "unreadable", "").but(unreadable.reason());
        }
        return switch (read) {
            case Entry.ReignOpened opened -> entry(stored, "reign", opened.reign());
            case Entry.DigestTaken(String reign, long number, long version, long _) ->
                digest(stored, reign, number, version);
            case Entry.SumTaken(String reign, long number, long version, long _) ->
                digest(stored, reign, number, version);
            case Entry.ChangeSet set -> decisions(stored, set);
        };
    }

    private static InspectedEntry digest(StoredLog.Stored stored, String reign, long number, long version) {
        return new InspectedEntry(
                stored.index(),
                stored.term(),
                "digest",
                reign,
                number,
                version,
                null,
                List.of(),
                stored.bytes().map(bytes -> bytes.length).orElse(0),
                null);
    }

    private InspectedEntry decisions(StoredLog.Stored stored, Entry.ChangeSet set) {
        List<InspectedEntry.Row> changes = new ArrayList<>();
        @Nullable String problem = null;
        for (Entry.Decided decided : set.decisions()) {
            if (decided.level() > 0) {
                changes.add(new InspectedEntry.Row("FeatureLevel", "" + decided.level()));
                continue;
            }
            try {
                machine.decode(decided.changes()).forEach(each -> changes.add(row.apply(each)));
            } catch (DiskTrouble unreadable) {
                changes.add(new InspectedEntry.Row("unreadable", ""));
                problem = problem == null ? unreadable.reason() : problem;
            }
        }
        return new InspectedEntry(
                stored.index(),
                stored.term(),
                "decisions",
                set.reign(),
                set.number(),
                set.versionBefore() + set.decisions().size(),
                set.decidedAt().toString(),
                changes,
                stored.bytes().map(bytes -> bytes.length).orElse(0),
                problem);
    }

    private static InspectedEntry entry(StoredLog.Stored stored, String kind, String reign) {
        return new InspectedEntry(
                stored.index(),
                stored.term(),
                kind,
                reign,
                null,
                null,
                null,
                List.of(),
                stored.bytes().map(bytes -> bytes.length).orElse(0),
                null);
    }

    /** Index of the newest snapshot; -1 for none, or for one that cannot be read. */
    public long snapshotIndex() {
        return snapshotIndex;
    }

    /** Why the newest snapshot cannot be read; empty if it can, or if there is none. */
    public Optional<String> snapshotProblem() {
        return Optional.ofNullable(snapshotProblem);
    }

    /** The first entry at which a start ends; empty if there is none. */
    public Optional<Long> stuckAt() {
        return Optional.ofNullable(stuckAt);
    }

    /** The version of the image that could be made. */
    public long version() {
        return replica.applied().version();
    }
}
