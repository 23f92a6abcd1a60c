package io.cleat.jobspec.hcl;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One text to read: a file, a request's body, or the value of a variable from the command line.
 *
 * <p>Not thread-safe: parts that hold secrets are marked while it is read.
 */
public final class Source {
    /** The longest part of a line that a fault shows. */
    private static final int WIDEST = 400;

    private final String name;
    private final String text;
    private final @Nullable Path folder;
    private final int[] lineStarts;
    private final List<Hidden> hidden = new ArrayList<>();

    private record Hidden(int start, int end) {}

    private Source(String name, String text, @Nullable Path folder) {
        this.name = name;
        this.text = text;
        this.folder = folder;
        this.lineStarts = lineStarts(text);
    }

    /**
     * A text that did not come from a file, such as a request's body. The functions that read the file system are
     * refused in it.
     */
    public static Source of(String name, String text) {
        return new Source(name, text, null);
    }

    /** A text whose relative paths start at {@code folder}. */
    public static Source of(String name, String text, Path folder) {
        return new Source(name, text, folder);
    }

    /**
     * Reads a file.
     *
     * @throws IOException the file cannot be read, is larger than 1 MiB, or is not UTF-8
     */
    public static Source read(Path file) throws IOException {
        String text = readText(file);
        Path folder = file.toAbsolutePath().getParent();
        return new Source(file.toString(), text, folder);
    }

    static String readText(Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(Limits.FILE + 1);
        }
        if (bytes.length > Limits.FILE) {
            throw new IOException(file + " is larger than 1 MiB, the most that is read");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not UTF-8 text", e);
        }
    }

    private static int[] lineStarts(String text) {
        int[] starts = new int[16];
        int lines = 1;
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            if (lines == starts.length) {
                starts = Arrays.copyOf(starts, lines * 2);
            }
            starts[lines++] = at + 1;
        }
        return Arrays.copyOf(starts, lines);
    }

    /** What faults call this text, usually the path as the user gave it. */
    public String name() {
        return name;
    }

    public String text() {
        return text;
    }

    /** Where relative paths start; empty when the text is not from a file. */
    Optional<Path> folder() {
        return Optional.ofNullable(folder);
    }

    public Span span(int start, int end) {
        return new Span(this, start, end);
    }

    /** The whole text. */
    public Span whole() {
        return new Span(this, 0, text.length());
    }

    /** Faults never show a line of the part from {@code start} to {@code end}. */
    public void hide(int start, int end) {
        hidden.add(new Hidden(start, end));
    }

    /** The line of a position, from 1. */
    int line(int position) {
        int found = Arrays.binarySearch(lineStarts, position);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** The column of a position in its line, in characters from 1. */
    int column(int position) {
        return text.codePointCount(lineStarts[line(position) - 1], position) + 1;
    }

    /** Where a line ends, its line break not included. */
    int lineEnd(int line) {
        int end = line < lineStarts.length ? lineStarts[line] - 1 : text.length();
        return end > lineStarts[line - 1] && text.charAt(end - 1) == '\r' ? end - 1 : end;
    }

    /** A line, or the part of a long one around a place. */
    record Line(String text, int cut) {}

    /** The line of a position, empty when a part of it is hidden. */
    Optional<Line> lineAround(int position) {
        int line = line(position);
        int start = lineStarts[line - 1];
        int end = lineEnd(line);
        if (hidden.stream().anyMatch(h -> h.start < end && start < h.end)) {
            return Optional.empty();
        }
        int from = whole(Math.max(start, position - WIDEST / 2));
        int to = whole(Math.min(end, from + WIDEST));
        return Optional.of(new Line(text.substring(from, to), text.codePointCount(start, from)));
    }

    /** Never between the two halves of a character. */
    private int whole(int position) {
        boolean inside = position > 0
                && position < text.length()
                && Character.isLowSurrogate(text.charAt(position))
                && Character.isHighSurrogate(text.charAt(position - 1));
        return inside ? position - 1 : position;
    }
}
