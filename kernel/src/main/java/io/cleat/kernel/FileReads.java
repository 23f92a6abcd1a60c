package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reading of files that somebody else may have made, and may change meanwhile: by path workers, so that a dead mount
 * hangs only them; below a place's root no link is followed, and what is not a regular file is not opened. Any thread.
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
    public Optional<FileLook> look(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        List<String> request = WorkerPaths.request("look", place);
        WorkerAnswer answer = WorkerPaths.values(request, workers.call(key, request, deadline));
        String below = place.below();
        return answer.is("absent")
                ? Optional.empty()
                : Optional.of(look(below.substring(below.lastIndexOf('/') + 1), answer, 0));
    }

    /**
     * What is in a directory.
     *
     * @param byName at most 1 MiB as a worker tells them, which is some ten thousand
     * @param hasMore whether the directory holds others than these
     */
    public record Entries(List<FileLook> byName, boolean hasMore) {
        public Entries {
            byName = List.copyOf(byName);
        }
    }

    /** What is in a directory, as far as one answer has room for it. */
    public Entries entries(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        List<String> request = WorkerPaths.request("entries", directory);
        WorkerAnswer answer = WorkerPaths.values(request, workers.call(key, request, deadline));
        List<FileLook> entries = new ArrayList<>();
        for (int at = 1; at + FIELDS < answer.size(); at += FIELDS + 1) {
            entries.add(look(answer.word(at), answer, at + 1));
        }
        entries.sort(Comparator.comparing(FileLook::name));
        return new Entries(entries, answer.is("more"));
    }

    /**
     * Reads a regular file from {@code offset} on.
     *
     * @param most bytes, up to {@link #MOST}
     * @throws KernelTrouble also if there is no file, or something else than a regular one
     */
    public Piece read(Place file, long offset, int most, Deadline deadline) throws KernelTrouble, InterruptedException {
        List<String> request = WorkerPaths.request("read", file, Long.toString(offset), Integer.toString(most));
        // In this character set each byte is one character, and comes back as it was.
        WorkerAnswer answer =
                WorkerPaths.values(request, workers.call(key, request, 4, StandardCharsets.ISO_8859_1, deadline));
        return new Piece(answer.word(2).getBytes(StandardCharsets.ISO_8859_1), answer.count(0), answer.bits(1));
    }

    static FileLook look(String name, WorkerAnswer answer, int from) throws KernelTrouble {
        return new FileLook(
                name,
                answer.constant(from, PathStat.Type.class),
                answer.mode(from + 1),
                answer.count(from + 2),
                answer.time(from + 3),
                answer.bits(from + 5));
    }
}
