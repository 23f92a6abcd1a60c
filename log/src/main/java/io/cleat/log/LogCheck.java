package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;

/**
 * Reads what the log library is going to read, before it does, and changes nothing: what the library cannot read it
 * tells in pages, and not of which file, or only by never leading.
 *
 * <p>Segments that are closed have to be whole, and to follow each other, each entry once and without a gap, from what
 * the newest snapshot holds; that has to fit its sum; the library's own two files have to be readable. Of one thread,
 * which has files read side by side.
 */
final class LogCheck {
    private static final String META = "raft-meta";
    private static final String CONFIGURATION = "raft-meta.conf";

    private final StoredFiles files;
    private final Optional<StoredLog.Image> image;
    private final List<Supplier<CheckedFile>> looks = new ArrayList<>();

    private LogCheck(StoredFiles files) throws DiskTrouble {
        this.files = files;
        this.image = files.newestSnapshot();
        add(META, "the term, and who was voted for", metaFault());
        add(CONFIGURATION, "the members", configurationFault());
        image.ifPresent(this::add);
    }

    /** All files of a log that no process has open. */
    static List<CheckedFile> of(StoredFiles files) throws DiskTrouble {
        LogCheck check = new LogCheck(files);
        check.addSegments(true);
        endFault(files)
                .ifPresent(words ->
                        check.looks.add(() -> new CheckedFile(files.name(files.current()), words, Optional.empty())));
        return check.checked();
    }

    /** Refuses a log that the library could not read. Its open segment is left to {@link TornTail}. */
    static void require(StoredFiles files) throws DiskTrouble {
        LogCheck check = new LogCheck(files);
        check.addSegments(false);
        List<CheckedFile> bad = check.checked().stream()
                .filter(file -> file.fault().isPresent())
                .toList();
        if (!bad.isEmpty()) {
            CheckedFile first = bad.getFirst();
            throw new DiskTrouble(
                    "the log is damaged: "
                            + files.storage().resolve(first.name())
                            + " "
                            + first.fault().orElseThrow()
                            + (bad.size() > 1 ? "; " + (bad.size() - 1) + " more are bad" : "")
                            + ". Nothing was changed. Look with cleat operator log verify; put the"
                            + " log's directory back from a copy: see docs/log-cannot-be-read.md",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }

    /**
     * What it means that no file is open behind those that are closed; empty if one is, as nearly always: the library
     * begins the next file right after it has closed one, and closes none when it ends.
     */
    static Optional<String> endFault(StoredFiles files) throws DiskTrouble {
        List<StoredFiles.Records> all = files.segments();
        return all.isEmpty() || all.stream().anyMatch(StoredFiles.Records::isOpen)
                ? Optional.empty()
                : Optional.of("no file is open behind entry "
                        + all.getLast().end()
                        + ": either the server was killed between two files, and nothing is"
                        + " missing, or the file with the newest entries was taken away");
    }

    /** Reading is most of it, and each file is read by itself: several at a time. */
    private List<CheckedFile> checked() {
        return looks.parallelStream().map(Supplier::get).toList();
    }

    private void addSegments(boolean isOpenToo) throws DiskTrouble {
        List<StoredFiles.Records> all = files.segments();
        addTwice(all);
        long next = image.map(StoredLog.Image::index).orElse(-1L) + 1;
        String lost = image.isPresent() ? "what follows the snapshot" : "the snapshot";
        for (StoredFiles.Records segment : all) {
            String name = files.name(segment.path());
            if (segment.start() > next) {
                String gone = "begins with entry %d, and %s, from entry %d on, is gone"
                        .formatted(segment.start(), lost, next);
                looks.add(() -> new CheckedFile(name, "entries from " + segment.start(), Optional.of(gone)));
            } else if (!segment.isOpen()) {
                looks.add(() -> new CheckedFile(
                        name, "entries " + segment.start() + " to " + segment.end(), closedFault(segment)));
            } else if (isOpenToo) {
                looks.add(() -> open(segment.path()));
            }
            next = Math.max(next, segment.end() + 1);
            lost = "what comes before";
        }
    }

    /** A file that was put back from a copy lies beside the one that came of it. */
    private void addTwice(List<StoredFiles.Records> all) {
        for (int i = 1; i < all.size(); i++) {
            StoredFiles.Records before = all.get(i - 1);
            StoredFiles.Records behind = all.get(i);
            if (before.isOpen() || behind.start() <= before.end()) {
                String twice = "begins with entry %d, and %s before it %s: one of the two was put there"
                        .formatted(
                                behind.start(),
                                files.name(before.path()),
                                before.isOpen() ? "has no end" : "holds that too");
                looks.add(() -> new CheckedFile(
                        files.name(behind.path()), "entries from " + behind.start(), Optional.of(twice)));
            }
        }
    }

    private CheckedFile open(Path file) {
        try {
            Segment segment = Segment.read(file);
            Optional<TornTail> torn = TornTail.of(segment);
            String entries = segment.lastIndex() < 0
                    ? "no entry yet"
                    : "entries " + segment.firstIndex() + " to " + segment.lastIndex();
            return new CheckedFile(
                    files.name(file), entries + torn.map(LogCheck::words).orElse(""), Optional.empty());
        } catch (IOException unreadable) {
            return open(file, "cannot be read: " + unreadable);
        } catch (DiskTrouble damaged) {
            return open(file, "is bad: " + damaged.reason());
        }
    }

    private CheckedFile open(Path file, String fault) {
        return new CheckedFile(files.name(file), "the newest entries", Optional.of(fault));
    }

    private static String words(TornTail torn) {
        return "; behind them "
                + torn.bytes()
                + " bytes that were not written to their end, which a start takes off and keeps";
    }

    private void add(StoredLog.Image newest) {
        looks.add(() -> new CheckedFile(files.name(newest.file()), "all up to entry " + newest.index(), fault(newest)));
    }

    private void add(String name, String holds, Optional<String> fault) {
        Path file = files.current().resolve(name);
        if (fault.isPresent() || Files.exists(file)) {
            looks.add(() -> new CheckedFile(files.name(file), holds, fault));
        }
    }

    private Optional<String> metaFault() {
        Properties said = new Properties();
        try (Reader reader = Files.newBufferedReader(files.current().resolve(META), StandardCharsets.ISO_8859_1)) {
            said.load(reader);
            return Long.parseLong(said.getProperty("term", "")) >= 0 && said.containsKey("votedFor")
                    ? Optional.empty()
                    : Optional.of("does not say a term and a vote");
        } catch (NoSuchFileException gone) {
            return Optional.of("is gone");
        } catch (IOException | IllegalArgumentException unreadable) {
            return Optional.of("cannot be read: " + unreadable);
        }
    }

    /** Absent until the members were recorded first. */
    private Optional<String> configurationFault() {
        try {
            LogEntryProto entry =
                    LogEntryProto.parseFrom(Files.readAllBytes(files.current().resolve(CONFIGURATION)));
            return entry.hasConfigurationEntry() ? Optional.empty() : Optional.of("does not say who the members are");
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of("cannot be read: " + unreadable);
        }
    }

    private static Optional<String> closedFault(StoredFiles.Records closed) {
        try {
            Segment segment = Segment.read(closed.path());
            if (!segment.hasHeader()) {
                return Optional.of("does not begin as a file of the log does");
            }
            int bad = segment.firstBad();
            if (bad >= 0) {
                return Optional.of("has an unreadable record at byte "
                        + bad
                        + ": entries from "
                        + (segment.lastIndex() < 0 ? closed.start() : segment.lastIndex() + 1)
                        + " to "
                        + closed.end()
                        + " may be lost");
            }
            return segment.firstIndex() == closed.start() && segment.lastIndex() == closed.end()
                    ? Optional.empty()
                    : Optional.of("holds entries "
                            + segment.firstIndex()
                            + " to "
                            + segment.lastIndex()
                            + ", expected "
                            + closed.start()
                            + " to "
                            + closed.end());
        } catch (IOException unreadable) {
            return Optional.of("cannot be read: " + unreadable);
        }
    }

    private static Optional<String> fault(StoredLog.Image image) {
        try {
            image.requireWhole();
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of("does not fit the sum beside it (" + unreadable.getMessage() + ")");
        }
    }
}
