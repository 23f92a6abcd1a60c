package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Path calls of one key, made by its workers. */
final class WorkerPaths implements Paths {
    private final PathWorkers workers;
    private final String key;

    WorkerPaths(PathWorkers workers, String key) {
        this.workers = workers;
        this.key = key;
    }

    @Override
    public Optional<PathStat> stat(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> fields = ask(request("stat", place), deadline);
        return fields.getFirst().equals("absent") ? Optional.empty() : Optional.of(stat(fields));
    }

    private static PathStat stat(List<String> fields) {
        return new PathStat(
                PathStat.Type.valueOf(fields.get(0).toUpperCase(Locale.ROOT)),
                Integer.parseInt(fields.get(1), 8),
                Long.parseLong(fields.get(2)),
                Long.parseLong(fields.get(3)),
                Long.parseLong(fields.get(4)),
                device(fields.get(5)),
                device(fields.get(6)),
                Long.parseLong(fields.get(7)),
                PathStat.MountRoot.valueOf(fields.get(8).toUpperCase(Locale.ROOT)));
    }

    private static Mount.Device device(String numbers) {
        String[] parts = numbers.split(":", 2);
        return new Mount.Device(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    @Override
    public boolean answers(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        try {
            return is("answers", request("probe", place), deadline);
        } catch (PathRefused refused) {
            if (refused.errno() == Errno.ENOTCONN || refused.errno() == Errno.ECONNABORTED) {
                return false;
            }
            throw refused;
        }
    }

    @Override
    public List<String> list(Place directory, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return list(directory, false, deadline);
    }

    /**
     * As {@link #list(Place, Deadline)}.
     *
     * @param sameMount refuses (EXDEV) if a mount lies on the way from the root
     */
    List<String> list(Place directory, boolean sameMount, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return ask(request("list", directory, sameMount ? "1" : "0"), deadline).stream()
                .sorted()
                .toList();
    }

    @Override
    public boolean makeDirectory(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("made", request("mkdir", place, Integer.toOctalString(mode)), deadline);
    }

    @Override
    public Optional<Place> makeDirectories(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> fields = ask(request("mkdirs", place, Integer.toOctalString(mode)), deadline);
        return fields.getFirst().equals("stopped")
                ? Optional.of(new Place(place.root(), fields.get(1)))
                : Optional.empty();
    }

    @Override
    public boolean makeFile(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("made", request("mkfile", place, Integer.toOctalString(mode)), deadline);
    }

    @Override
    public boolean removeDirectory(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return removeDirectory(place, false, deadline);
    }

    boolean removeDirectory(Place place, boolean sameMount, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("removed", request("rmdir", place, sameMount ? "1" : "0"), deadline);
    }

    @Override
    public boolean removeFile(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return removeFile(place, false, deadline);
    }

    boolean removeFile(Place place, boolean sameMount, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("removed", request("unlink", place, sameMount ? "1" : "0"), deadline);
    }

    /**
     * As rename(2); a file or link goes to another file system too.
     *
     * @throws PathRefused as rename(2) says, for a directory also EXDEV
     */
    void move(Place from, Place to, Deadline deadline) throws KernelTrouble, InterruptedException {
        ask(request("move", from, to.root().toString(), to.below()), deadline);
    }

    @Override
    public void bind(
            Place source, Place target, boolean readOnly, Mounts.Spread spread, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        ask(
                request(
                        "bind",
                        source,
                        target.root().toString(),
                        target.below(),
                        readOnly ? "1" : "0",
                        spread.name().toLowerCase(Locale.ROOT)),
                deadline);
    }

    @Override
    public void mountMemory(Place place, long bytes, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        ask(request("memory", place, Long.toString(bytes)), deadline);
    }

    @Override
    public boolean unmount(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("unmounted", request("unmount", place, "0"), deadline);
    }

    @Override
    public boolean detach(Place place, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return is("unmounted", request("unmount", place, "1"), deadline);
    }

    static List<String> request(String operation, Place place, String... more) {
        List<String> request =
                new ArrayList<>(List.of(operation, place.root().toString(), place.below()));
        request.addAll(List.of(more));
        return request;
    }

    private boolean is(String word, List<String> request, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return ask(request, deadline).getFirst().equals(word);
    }

    private List<String> ask(List<String> request, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return values(request, workers.call(key, request, deadline));
    }

    /** The values of an answer that is ok. */
    static List<String> values(List<String> request, List<String> fields) throws KernelTrouble {
        if (fields.getFirst().equals("ok")) {
            return fields.subList(1, fields.size());
        }
        int errno = Integer.parseInt(fields.get(1));
        boolean unknown = fields.get(2).equals("unknown");
        throw new PathRefused(
                request.get(0)
                        + " "
                        + (request.get(2).isEmpty()
                                ? request.get(1)
                                : request.get(1) + "/" + request.get(2))
                        + (request.get(0).equals("bind") || request.get(0).equals("move")
                                ? " to " + request.get(3) + "/" + request.get(4)
                                : "")
                        + " failed: "
                        + Errno.text(errno),
                errno,
                unknown ? Effect.UNKNOWN : Effect.NONE,
                errno == Errno.EBUSY ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
    }
}
