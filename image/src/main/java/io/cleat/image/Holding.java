package io.cleat.image;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.Starting;
import io.cleat.driver.exec.TaskImages;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One start of a task that holds the layers of its image. Filled by the thread that talks to the process; read by the
 * caller's, after that has ended.
 */
final class Holding implements TaskImages.Held, ImageProcess.Answers {
    private static final Duration LOOK = Duration.ofMillis(500);

    private final TaskImages.Wanted wanted;
    private final LayerStore store;
    private final Starting starting;
    private final Deadline deadline;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Set<String> leftOut = new TreeSet<>();
    private volatile @Nullable ImageFacts facts;
    private volatile List<Digest> layers = List.of();
    private volatile Set<Digest> claimed = Set.of();
    private volatile boolean givenUp;
    private boolean claimsNothing;
    private final List<Digest> made = new ArrayList<>();

    Holding(TaskImages.Wanted wanted, LayerStore store, Starting starting, Deadline deadline) {
        this.wanted = wanted;
        this.store = store;
        this.starting = starting;
        this.deadline = deadline;
    }

    @Override
    public Set<Digest> image(Digest id, ImageFacts found) throws InterruptedException {
        if (facts != null) {
            // It was got by another process, which has said the same.
            return claimed;
        }
        hold(found);
        if (claimsNothing) {
            return Set.of();
        }
        Optional<Set<Digest>> missing = Optional.empty();
        while (missing.isEmpty() && !givenUp) {
            missing = store.claim(layers, deadline.atMost(LOOK));
        }
        claimed = missing.orElse(Set.of());
        if (!claimed.isEmpty()) {
            starting.told(
                    "Getting " + claimed.size() + " of the " + layers.size() + " layers of image " + wanted.shown());
        }
        return claimed;
    }

    private void hold(ImageFacts found) {
        facts = found;
        // Of a layer that comes twice the upper one hides all that the lower one has.
        layers = new ArrayList<>(new LinkedHashSet<>(found.diffIds().reversed())).reversed();
        store.hold(layers);
    }

    /** Whether all layers of an image are there, which from now on it holds. */
    boolean isWhole(ImageFacts found) {
        hold(found);
        return layers.stream().allMatch(store::isReady);
    }

    @Override
    public void unpacked(Digest layer, List<String> devices) {
        if (claimed.contains(layer)) {
            made.add(layer);
        }
        leftOut.addAll(devices);
    }

    /** Of an image whose layers must be there already, or it is not had. */
    Holding claimingNothing() {
        claimsNothing = true;
        return this;
    }

    /** Whether layers are its to make. */
    boolean isClaiming() {
        return !claimed.isEmpty();
    }

    /** Nobody waits for it any more. */
    void giveUp() {
        givenUp = true;
    }

    /** What was claimed is there, or never will be. */
    void over() {
        store.finished(claimed);
        if (!leftOut.isEmpty()) {
            starting.told(
                    "Image " + wanted.shown() + " has device files, which are left out: " + String.join(", ", leftOut));
        }
    }

    List<Digest> made() {
        return List.copyOf(made);
    }

    void requireAll() throws DriverTrouble {
        if (facts == null) {
            throw new DriverTrouble(
                    "the image " + wanted.shown() + ": the process that unpacks did not say what it is",
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        for (Digest layer : layers) {
            boolean isThere = claimed.contains(layer) ? store.isThere(layer) : store.isReady(layer);
            if (!isThere) {
                throw new DriverTrouble(
                        "the image "
                                + wanted.shown()
                                + ": its layer "
                                + layer
                                + " is not there, though it was unpacked",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
        }
    }

    ImageFacts facts() {
        ImageFacts found = facts;
        if (found == null) {
            throw new IllegalStateException("it is not known what the image is");
        }
        return found;
    }

    @Override
    public TaskImages.Program program() {
        ImageFacts.Program said = facts().program();
        return new TaskImages.Program(
                said.entrypoint(), said.command(), said.environment(), said.user(), said.workDir());
    }

    @Override
    public List<Path> layers() {
        return layers.stream().map(store::path).toList();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            store.release(layers);
        }
    }
}
