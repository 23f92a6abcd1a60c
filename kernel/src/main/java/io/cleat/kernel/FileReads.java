package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reading of files that somebody else may have made, and may change meanwhile: by path workers, so
 * that a dead mount hangs only them; below a place's root no link is followed, and what is not a
 * regular file is not opened. Any thread.
 */
public final class FileReads {
    /** How many bytes one {@link #read} gives at most. */
    public static final int MOST = 256 * 1024;

    private static final int FIELDS = 6;

    private final PathWorkers workers;
    private final String key;

    FileReads(PathWorkers workers, String key) {
        this.workers = workers;
        this.key = key;
    }

    /**
     * Some bytes of a file.
     *
     * @param bytes empty at its end; the receiver's own
     * @param size of the whole file
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Piece(byte[] bytes, long size, long inode) {}

    /** What is at the place; empty if nothing is. */
    public Optional<FileLook> look(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> request = WorkerPaths.request("look", place);
        List<String> fields = WorkerPaths.values(request, workers.call(key, request, deadline));
        String below = place.below();
        return fields.getFirst().equals("absent")
                ? Optional.empty()
                : Optional.of(look(below.substring(below.lastIndexOf('/') + 1), fields));
    }

    /** What is in a directory, by name. At most 1 MB of it, which is some ten thousand entries. */
    public List<FileLook> entries(Place directory, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> request = WorkerPaths.request("entries", directory);
        List<String> fields = WorkerPaths.values(request, workers.call(key, request, deadline));
        List<FileLook> entries = new ArrayList<>();
        for (int at = 0; at + FIELDS < fields.size(); at += FIELDS + 1) {
            entries.add(look(fields.get(at), fields.subList(at + 1, at + 1 + FIELDS)));
        }
        entries.sort(Comparator.comparing(FileLook::name));
        return entries;
    }

    /**
     * Reads a regular file from {@code offset} on.
     *
     * @param most bytes, up to {@link #MOST}
     * @throws KernelTrouble also if there is no file, or something else than a regular one
     */
    public Piece read(Place file, long offset, int most, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> request =
                WorkerPaths.request("read", file, Long.toString(offset), Integer.toString(most));
        // In this character set each byte is one character, and comes back as it was.
        List<String> fields =
                WorkerPaths.values(
                        request,
                        workers.call(key, request, 4, StandardCharsets.ISO_8859_1, deadline));
        return new Piece(
                fields.get(2).getBytes(StandardCharsets.ISO_8859_1),
                Long.parseLong(fields.get(0)),
                Long.parseLong(fields.get(1)));
    }

    private static FileLook look(String name, List<String> fields) {
        return new FileLook(
                name,
                PathStat.Type.valueOf(fields.get(0).toUpperCase(Locale.ROOT)),
                Integer.parseInt(fields.get(1), 8),
                Long.parseLong(fields.get(2)),
                Instant.ofEpochSecond(Long.parseLong(fields.get(3)), Long.parseLong(fields.get(4))),
                Long.parseLong(fields.get(5)));
    }
}
