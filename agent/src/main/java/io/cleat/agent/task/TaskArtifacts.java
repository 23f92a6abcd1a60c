package io.cleat.agent.task;

import io.cleat.agent.artifact.Artifacts;
import io.cleat.artifact.Artifact;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.kernel.Place;
import io.cleat.kernel.TextPath;
import io.cleat.model.ArtifactSource;
import io.cleat.model.TaskArtifact;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what a task needs before its first start. What is there stays for its further starts: each artifact is
 * fetched once, and one that failed again with the next start.
 *
 * <p>Guarded by {@code lock}, which is never held while anything is fetched.
 */
final class TaskArtifacts {
    /** Between two looks whether there is a place to fetch in. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final Set<Integer> done = new TreeSet<>();

    private final ReentrantLock lock = new ReentrantLock();
    private boolean cancelled;
    private Artifacts.@Nullable Download running;

    TaskArtifacts(TaskSetting setting, TaskParts parts, TaskDiary diary, TaskEvents events) {
        this.setting = setting;
        this.parts = parts;
        this.diary = diary;
        this.events = events;
    }

    /**
     * Fetches what is not there yet.
     *
     * @return false if not all of it could be had, which an event says
     */
    boolean fetched(TaskEnvironment environment) throws InterruptedException {
        List<TaskArtifact> all = setting.task().artifacts();
        // It was started before: by an earlier agent, perhaps.
        if (diary.record().state().startedAt() != null || done.size() == all.size()) {
            return true;
        }
        // A server that is not there is waited for.
        diary.settled();
        diary.event(events.downloading());
        List<Integer> missing = new ArrayList<>();
        List<Artifacts.Wanted> wanted = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (!done.contains(i)) {
                missing.add(i);
                try {
                    wanted.add(wanted(all.get(i), environment));
                } catch (Trouble trouble) {
                    diary.event(events.downloadFailed(shown(all.get(i)), trouble.reason()));
                    return false;
                }
            }
        }
        List<Optional<String>> results;
        while (!parts.fetches().enter(setting.allocId())) {
            if (isCancelled()) {
                return false;
            }
            // By the port for time, so that a simulation can own this wait too.
            parts.time().sleep(PAUSE);
        }
        try {
            Artifacts.Download download =
                    parts.artifacts().begin(wanted, setting.group().disk().bytes());
            begun(download);
            results = download.await();
        } catch (Trouble trouble) {
            diary.event(events.downloadFailed(shown(all.get(missing.getFirst())), trouble.reason()));
            return false;
        } finally {
            ended();
            parts.fetches().leave(setting.allocId());
        }
        if (isCancelled()) {
            return false;
        }
        boolean isComplete = true;
        for (int i = 0; i < results.size(); i++) {
            Optional<String> why = results.get(i);
            if (why.isEmpty()) {
                done.add(missing.get(i));
            } else if (isComplete) {
                isComplete = false;
                diary.event(events.downloadFailed(wanted.get(i).artifact().shown(), why.get()));
            }
        }
        return isComplete;
    }

    /** Ends what is being fetched; nothing more is. */
    void cancel() {
        Artifacts.Download download;
        lock.lock();
        try {
            cancelled = true;
            download = running;
        } finally {
            lock.unlock();
        }
        if (download != null) {
            download.cancel();
        }
    }

    private boolean isCancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    private void begun(Artifacts.Download download) {
        boolean isTooLate;
        lock.lock();
        try {
            running = download;
            isTooLate = cancelled;
        } finally {
            lock.unlock();
        }
        if (isTooLate) {
            download.cancel();
        }
    }

    private void ended() {
        lock.lock();
        try {
            running = null;
        } finally {
            lock.unlock();
        }
    }

    private Artifacts.Wanted wanted(TaskArtifact given, TaskEnvironment environment)
            throws ArtifactTrouble, DriverTrouble {
        Artifact artifact = new Artifact(
                environment.expand(given.source()),
                expanded(given.options(), environment),
                expanded(given.headers(), environment),
                given.mode(),
                given.insecure());
        Optional<Artifacts.Owner> owner = Optional.empty();
        List<Long> ids = given.chown() ? parts.owner(setting.task(), setting.user()) : List.of();
        if (!ids.isEmpty()) {
            owner = Optional.of(new Artifacts.Owner((int) (long) ids.get(0), (int) (long) ids.get(1)));
        }
        return new Artifacts.Wanted(
                artifact,
                destination(environment.expand(given.destination()), environment.variables()),
                given.mode() == TaskArtifact.Mode.FILE,
                owner);
    }

    private static Map<String, String> expanded(Map<String, String> given, TaskEnvironment environment) {
        Map<String, String> expanded = new HashMap<>();
        given.forEach((name, value) -> expanded.put(name, environment.expand(value)));
        return expanded;
    }

    private static String shown(TaskArtifact artifact) {
        return ArtifactSource.shown(artifact.source());
    }

    /** Where a destination is, which the task may name as it sees it. */
    private Place destination(String given, Map<String, String> variables) throws ArtifactTrouble {
        String own = Objects.requireNonNull(setting.taskRoot().getFileName()).toString();
        String shared = Objects.requireNonNull(setting.allocDir().getFileName()).toString();
        Path root = Objects.requireNonNull(setting.taskRoot().getParent());
        String path = own + "/" + (given.isEmpty() ? "local" : given);
        Map<String, String> seen = Map.of(
                "NOMAD_ALLOC_DIR", shared,
                "NOMAD_TASK_DIR", own + "/local",
                "NOMAD_SECRETS_DIR", own + "/secrets");
        for (Map.Entry<String, String> each : seen.entrySet()) {
            String asSeen = variables.getOrDefault(each.getKey(), "");
            if (given.equals(asSeen) || given.startsWith(asSeen + "/")) {
                path = each.getValue() + given.substring(asSeen.length());
            }
        }
        List<String> names = new ArrayList<>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                if (names.isEmpty()) {
                    throw leadsOut(given);
                }
                names.removeLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        if (TextPath.of(path).isEmpty()
                || names.isEmpty()
                || !Set.of(own, shared).contains(names.getFirst())) {
            throw leadsOut(given);
        }
        return new Place(root, String.join("/", names));
    }

    private static ArtifactTrouble leadsOut(String destination) {
        return new ArtifactTrouble(
                "its destination "
                        + TextRule.quoted(destination)
                        + " is neither in the task's directory nor in the one that its group"
                        + " shares; choose one such as local/app or ${NOMAD_ALLOC_DIR}/app",
                Retry.NEVER);
    }
}
