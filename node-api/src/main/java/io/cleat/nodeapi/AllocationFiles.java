package io.cleat.nodeapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.api.FileEntry;
import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.http.FileQuery;
import io.cleat.http.FilesApi;
import io.cleat.http.PieceReader;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** The files of allocations, read by path workers: their paths are a workload's, and may lie on a volume that hangs. */
final class AllocationFiles implements FilesApi {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int HEAD = 512;

    /** Bytes of a path and of a name in it; the kernel looks for none that is longer. */
    private static final int LONGEST_PATH = 4095;

    private static final int LONGEST_NAME = 255;

    /** Characters of a path in a refusal. */
    private static final int QUOTED = 256;

    /** The directories of a task that nobody outside it looks into. */
    private static final Set<String> HIDDEN = Set.of("secrets", "private");

    private final LocalNode local;
    private final Time time;

    AllocationFiles(LocalNode local, Time time) {
        this.local = local;
        this.time = time;
    }

    @Override
    public List<FileEntry> list(String allocId, String path) throws Refused, Trouble, InterruptedException {
        Place place = place(allocId, path);
        FileLook found = look(allocId, place, path);
        if (found.type() != PathStat.Type.DIRECTORY) {
            throw invalid(TextRule.quoted(path) + " is not a directory");
        }
        FileReads.Entries entries = local.reads(allocId).entries(place, soon());
        if (entries.hasMore()) {
            throw invalid("\""
                    + path
                    + "\" has more entries than one answer holds ("
                    + entries.byName().size()
                    + "); name one of them, or list a directory below it");
        }
        return entries.byName().stream()
                .map(entry -> info("", entry.name(), entry))
                .toList();
    }

    @Override
    public FileEntry stat(String allocId, String path) throws Refused, Trouble, InterruptedException {
        Place place = place(allocId, path);
        FileLook found = look(allocId, place, path);
        String name = place.below().isEmpty() ? "/" : found.name();
        return found.type() == PathStat.Type.FILE
                ? info(
                        contentType(local.reads(allocId)
                                .read(place, 0, HEAD, soon())
                                .bytes()),
                        name,
                        found)
                : info("", name, found);
    }

    @Override
    public PieceReader read(FileQuery query) throws Refused, Trouble, InterruptedException {
        Place place = place(query.allocId(), query.path());
        FileLook found = look(query.allocId(), place, query.path());
        switch (found.type()) {
            case FILE -> {}
            case DIRECTORY -> throw invalid(TextRule.quoted(query.path()) + " is a directory");
            case LINK -> throw invalid(TextRule.quoted(query.path()) + " is a symbolic link, which is not followed");
            default -> throw invalid(TextRule.quoted(query.path()) + " is not a regular file");
        }
        FileReads reads = local.reads(query.allocId());
        // The first bytes are read here, so that what cannot be read is refused as a whole.
        GrowingFile file = new GrowingFile(reads, place, found, query, time);
        file.begin();
        return file;
    }

    /** The path below the allocation's directory, without dots. */
    private Place place(String allocId, String path) throws Refused {
        local.requireTakenOver(allocId);
        AllocationDirectory directory =
                local.directory(allocId).orElseThrow(() -> AgentNode.unknownAllocation(allocId));
        Deque<String> names = new ArrayDeque<>();
        if (TextPath.of(path).isEmpty()) {
            throw invalid(TextRule.quoted(path) + " is no path: it has no NUL character in it");
        }
        if (path.getBytes(UTF_8).length > LONGEST_PATH) {
            throw absent(path);
        }
        for (String name : path.split("/", -1)) {
            if (name.getBytes(UTF_8).length > LONGEST_NAME) {
                throw absent(path);
            }
            if (name.equals("..") && names.pollLast() == null) {
                throw invalid("Path escapes the alloc directory");
            }
            if (!name.isEmpty() && !name.equals(".") && !name.equals("..")) {
                names.add(name);
            }
        }
        List<String> plain = List.copyOf(names);
        if (plain.size() > 1 && !plain.getFirst().equals("alloc") && HIDDEN.contains(plain.get(1))) {
            throw new Refused(
                    new Refusal.Forbidden("Reading secret file prohibited: nobody outside a task looks into its"
                            + " secrets and private directories"));
        }
        return new Place(directory.root(), String.join("/", plain));
    }

    private FileLook look(String allocId, Place place, String path) throws Refused, Trouble, InterruptedException {
        return local.reads(allocId).look(place, soon()).orElseThrow(() -> absent(path));
    }

    private static Refused absent(String path) {
        return new Refused(new Refusal.NotFound("no such file in the allocation: " + VisibleText.cut(path, QUOTED)));
    }

    private Deadline soon() {
        return Deadline.in(time, LIMIT);
    }

    private static Refused invalid(String message) {
        return new Refused(new Refusal.Invalid(message));
    }

    private static FileEntry info(String contentType, String name, FileLook found) {
        return new FileEntry(
                contentType,
                mode(found),
                found.type() == PathStat.Type.DIRECTORY,
                found.modified(),
                name,
                found.size());
    }

    /** As Go prints it: a letter for each special bit and kind, then nine for the permissions. */
    private static String mode(FileLook found) {
        String kind = switch (found.type()) {
            case DIRECTORY -> "d";
            case LINK -> "L";
            case BLOCK -> "D";
            case CHARACTER -> "Dc";
            case FIFO -> "p";
            case SOCKET -> "S";
            case FILE -> "";
        };
        StringBuilder mode = new StringBuilder(kind);
        mode.append((found.mode() & 04000) != 0 ? "u" : "");
        mode.append((found.mode() & 02000) != 0 ? "g" : "");
        mode.append((found.mode() & 01000) != 0 ? "t" : "");
        if (mode.isEmpty()) {
            mode.append('-');
        }
        for (int bit = 8; bit >= 0; bit--) {
            mode.append((found.mode() >> bit & 1) == 0 ? '-' : "xwr".charAt(bit % 3));
        }
        return mode.toString();
    }

    private static String contentType(byte[] head) throws Refused {
        try {
            String known = URLConnection.guessContentTypeFromStream(new ByteArrayInputStream(head));
            if (known != null) {
                return known;
            }
        } catch (IOException impossible) {
            throw invalid("the beginning of the file cannot be read: " + impossible);
        }
        for (byte each : head) {
            if (each >= 0 && each < ' ' && "\t\n\f\r\u001b".indexOf(each) < 0) {
                return "application/octet-stream";
            }
        }
        return "text/plain; charset=utf-8";
    }
}
