package io.cleat.kernel;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Path calls of one key, made by its workers. */
final class WorkerPaths implements Paths {
    /** An owner, a group or bits that stay as they are. */
    private static final String UNSAID = "-1";

    private static final Set<String> WITH_TARGET = Set.of("bind", "move", "show");

    private final PathWorkers workers;
    private final String key;

    WorkerPaths(PathWorkers workers, String key) {
        this.workers = workers;
        this.key = key;
    }

    @Override
    public Optional<PathStat> stat(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        WorkerAnswer answer = ask(request("stat", place), deadline);
        return answer.is("absent") ? Optional.empty() : Optional.of(stat(answer));
    }

    static PathStat stat(WorkerAnswer answer) throws KernelTrouble {
        return new PathStat(
                answer.constant(0, PathStat.Type.class),
                answer.mode(1),
                answer.count(2),
                answer.count(3),
                answer.count(4),
                answer.device(5),
                answer.device(6),
                answer.bits(7),
                answer.constant(8, PathStat.MountRoot.class));
    }

    @Override
    public boolean isProgram(Path path, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("program", List.of("program", path.toString(), ""), deadline);
    }

    @Override
    public boolean answers(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
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
    public Names list(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        WorkerAnswer answer = ask(request("list", directory), deadline);
        return new Names(answer.from(1).stream().sorted().toList(), answer.is("more"));
    }

    @Override
    public boolean makeDirectory(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("made", request("mkdir", place, Integer.toOctalString(mode)), deadline);
    }

    @Override
    public Optional<Place> makeDirectories(Place place, int mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        WorkerAnswer answer = ask(request("mkdirs", place, Integer.toOctalString(mode)), deadline);
        return answer.is("stopped") ? Optional.of(new Place(place.root(), answer.word(1))) : Optional.empty();
    }

    @Override
    public Whose adopt(Place directory, long uid, long gid, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return whose(ask(request("adopt", directory, Long.toString(uid), Long.toString(gid)), deadline));
    }

    @Override
    public Whose settle(
            Place directory, @Nullable Long uid, @Nullable Long gid, @Nullable Integer mode, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return whose(ask(
                request("settle", directory, said(uid), said(gid), mode == null ? UNSAID : Integer.toOctalString(mode)),
                deadline));
    }

    private static Whose whose(WorkerAnswer answer) throws KernelTrouble {
        return new Whose(answer.is("given"), answer.mode(1), answer.count(2), answer.count(3));
    }

    private static String said(@Nullable Long number) {
        return number == null ? UNSAID : number.toString();
    }

    @Override
    public boolean makeFile(Place place, int mode, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("made", request("mkfile", place, Integer.toOctalString(mode)), deadline);
    }

    @Override
    public boolean seal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("sealed", request("seal", directory), deadline);
    }

    @Override
    public void unseal(Place directory, Deadline deadline) throws KernelTrouble, InterruptedException {
        ask(request("unseal", directory), deadline);
    }

    @Override
    public boolean removeDirectory(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("removed", request("rmdir", place), deadline);
    }

    @Override
    public boolean removeFile(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("removed", request("unlink", place), deadline);
    }

    /**
     * What one call removed of a tree.
     *
     * @param hasMore whether some of it is left, for the next call
     */
    record Cleared(long entries, boolean hasMore) {}

    /**
     * Removes an entry with what is below it, over no link and no mount.
     *
     * @param most entries; so bounds {@code within}, to 1 ms, what one call does
     * @throws PathRefused at the first entry that cannot be removed, which it names; EXDEV for a mount on the way or
     *     below
     */
    Cleared clear(Place place, int most, Duration within, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        WorkerAnswer answer =
                ask(request("clear", place, Integer.toString(most), Long.toString(within.toMillis())), deadline);
        return new Cleared(answer.count(1), answer.is("more"));
    }

    /**
     * What was seen of a tree until now.
     *
     * @param walk the number to go on with while it is not whole
     * @param took of a processor's time
     */
    record Measured(long walk, TreeSize size, Duration took) {}

    /**
     * Sums what is below a directory, over no link and no mount.
     *
     * @param besides a directory that is left out, seen from there; empty for none
     * @param within what one call takes at most, to 1 ms
     * @param walk 0, or that of the call before, which the same worker must have answered
     * @throws PathRefused also if the worker does not know the walk
     */
    Measured measure(Place directory, String besides, Duration within, long walk, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        WorkerAnswer answer = ask(
                request("measure", directory, besides, Long.toString(within.toMillis()), Long.toString(walk)),
                deadline);
        return new Measured(
                answer.bits(1),
                new TreeSize(answer.count(2), answer.count(3), !answer.is("more")),
                Duration.ofNanos(Math.min(answer.count(4), Long.MAX_VALUE / 1000) * 1000));
    }

    /**
     * Gives a tree that a confined process made to its owner, without bits but rwx.
     *
     * @param from whose all of it is
     * @param uid -1 for our own, as {@code gid}
     * @throws PathRefused EPERM, at what is another's or no file, directory or link
     */
    void own(Place tree, long from, int uid, int gid, Deadline deadline) throws KernelTrouble, InterruptedException {
        ask(request("own", tree, Long.toString(from), Integer.toString(uid), Integer.toString(gid)), deadline);
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
    public void bind(Place source, Place target, boolean readOnly, Mounts.Spread spread, Deadline deadline)
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
    public void show(Place source, Place target, Showing how, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> request = request(
                "show",
                source,
                target.root().toString(),
                target.below(),
                how.device() ? "block" : "directory",
                how.readOnly() ? "1" : "0",
                how.spread().name().toLowerCase(Locale.ROOT),
                how.deep() ? "1" : "0");
        how.ids().ifPresent(ids -> request.addAll(numbers(ids)));
        ask(request, deadline);
    }

    @Override
    public Optional<String> swapFault(Place directory, IdSwap ids, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        List<String> request = request("swaps", directory);
        request.addAll(numbers(ids));
        WorkerAnswer answer = ask(request, deadline);
        return answer.is("swaps") ? Optional.empty() : Optional.of(answer.word(1));
    }

    private static List<String> numbers(IdSwap ids) {
        return List.of(Long.toString(ids.user()), Long.toString(ids.group()), Long.toString(ids.own()));
    }

    @Override
    public boolean hide(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("hidden", request("hide", place), deadline);
    }

    @Override
    public void mountMemory(Place place, long bytes, FileWrites.Owner owner, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        ask(
                request(
                        "memory",
                        place,
                        Long.toString(bytes),
                        Integer.toOctalString(owner.mode()),
                        Integer.toString(owner.uid()),
                        Integer.toString(owner.gid())),
                deadline);
    }

    @Override
    public void give(Place directory, FileWrites.Owner owner, NavigableSet<Long> users, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        ask(
                request(
                        "give",
                        directory,
                        Integer.toOctalString(owner.mode()),
                        Integer.toString(owner.uid()),
                        Integer.toString(owner.gid()),
                        users.stream().map(String::valueOf).collect(Collectors.joining(","))),
                deadline);
    }

    @Override
    public boolean unmount(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("unmounted", request("unmount", place, "0"), deadline);
    }

    @Override
    public boolean detach(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("unmounted", request("unmount", place, "1"), deadline);
    }

    @Override
    public boolean makePrivate(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("private", request("private", place), deadline);
    }

    @Override
    public boolean tear(Place place, Deadline deadline) throws KernelTrouble, InterruptedException {
        return is("removed", request("tear", place), deadline);
    }

    static List<String> request(String operation, Place place, String... more) {
        List<String> request = new ArrayList<>(List.of(operation, place.root().toString(), place.below()));
        request.addAll(List.of(more));
        return request;
    }

    private boolean is(String word, List<String> request, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        return ask(request, deadline).is(word);
    }

    private WorkerAnswer ask(List<String> request, Deadline deadline) throws KernelTrouble, InterruptedException {
        return values(request, workers.call(key, request, deadline));
    }

    /** The values of an answer that is ok. */
    static WorkerAnswer values(List<String> request, List<String> fields) throws KernelTrouble {
        WorkerAnswer answer = new WorkerAnswer(fields);
        if (answer.is("ok")) {
            return new WorkerAnswer(fields.subList(1, fields.size()));
        }
        int errno = (int) Math.min(answer.count(1), Integer.MAX_VALUE);
        boolean unknown = answer.word(2).equals("unknown");
        String at = answer.size() > 4 ? answer.word(4) : "";
        throw new PathRefused(
                request.get(0)
                        + " "
                        + (request.get(2).isEmpty() ? request.get(1) : request.get(1) + "/" + request.get(2))
                        + (WITH_TARGET.contains(request.get(0)) ? " to " + request.get(3) + "/" + request.get(4) : "")
                        + " failed"
                        + (at.isEmpty() ? "" : " at \"" + VisibleText.cut(at, 400) + "\"")
                        + ": "
                        + Errno.text(errno),
                errno,
                unknown ? Effect.UNKNOWN : Effect.NONE,
                errno == Errno.EBUSY ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
    }
}
