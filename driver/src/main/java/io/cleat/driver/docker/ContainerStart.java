package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.registry.ImageName;
import io.cleat.kernel.BootId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a container begins: its image is there, its mark is on this node's disk, and then the engine makes and starts it.
 */
final class ContainerStart {
    private static final Logger LOG = LoggerFactory.getLogger(ContainerStart.class);

    private final String node;
    private final Images images;
    private final Pulls pulls;
    private final Marks marks;
    private final Containers containers;
    private final MountList mounts;
    private final LogCopies copies;
    private final Forget forget;

    /** @param node the id of this node, which the container says */
    ContainerStart(
            String node,
            Images images,
            Pulls pulls,
            Marks marks,
            Containers containers,
            MountList mounts,
            LogCopies copies,
            Forget forget) {
        this.node = node;
        this.images = images;
        this.pulls = pulls;
        this.marks = marks;
        this.containers = containers;
        this.mounts = mounts;
        this.copies = copies;
        this.forget = forget;
    }

    /**
     * Starts one; what is left of a start that failed is removed.
     *
     * @param name of the container, which is not there yet
     * @throws DriverTrouble if it does not run, or nobody knows whether it does; then its mark stays
     */
    void container(String name, TaskConfig config, DockerBlock block, ImageName image, Starting starting)
            throws DriverTrouble, InterruptedException {
        Pulls.Image pulled;
        try {
            pulled = pulls.ensure(image, block.pulling(), starting);
        } catch (DriverTrouble trouble) {
            throw starting(config.id(), trouble, Effect.NONE);
        }
        if (pulled.isOurs()) {
            images.ours(image);
        }
        marks.put(name);
        try {
            MountList.Asked asked = mounts.of(name, config, block);
            containers.create(
                    name,
                    ContainerSpec.of(new ContainerPlan(
                            config,
                            block,
                            pulled.id(),
                            containers.hostname(config, block),
                            labels(config, block, image),
                            asked.mounts(),
                            asked.binds(),
                            asked.devices())));
            containers.start(name);
        } catch (DriverTrouble trouble) {
            if (!runsAll(name, config.id(), trouble)) {
                throw starting(config.id(), trouble, Effect.NONE);
            }
        }
        try {
            copies.begin(name);
        } catch (DriverTrouble later) {
            // It runs, and whoever waits for its end begins that.
            LOG.debug("the output of {} is not copied yet: {}", name, later.reason());
        }
    }

    /**
     * Looks what became of a start that failed.
     *
     * @return true if the container runs, or has run; false if nothing of it is left
     * @throws DriverTrouble if that is not known; its mark stays
     */
    private boolean runsAll(String name, String id, DriverTrouble trouble) throws DriverTrouble, InterruptedException {
        try {
            Optional<Container> found = containers.find(name);
            if (found.isPresent()
                    && !found.get().isFresh()
                    && found.get().error().isEmpty()) {
                return true;
            }
            forget.container(name);
            return false;
        } catch (DriverTrouble unknown) {
            throw starting(id, trouble, Effect.UNKNOWN);
        }
    }

    private static DriverTrouble starting(String id, DriverTrouble trouble, Effect effect) {
        return new DriverTrouble(
                "starting the task " + id + " failed: " + trouble.reason(), effect, trouble.retry(), trouble);
    }

    private Map<String, String> labels(TaskConfig config, DockerBlock block, ImageName image) throws DriverTrouble {
        Map<String, String> labels = new TreeMap<>(block.labels());
        labels.put(Labels.NODE, node);
        labels.put(Labels.ALLOCATION, config.allocId());
        labels.put(Labels.TASK, config.task());
        labels.put(Labels.RUN, config.id());
        labels.put(Labels.IMAGE, image.toString());
        labels.put(Labels.BOOT, boot());
        boolean isKept = !config.logs().disabled()
                && block.logging().map(LogCopies::canRead).orElse(true);
        if (isKept) {
            labels.put(Labels.LOGS, config.logs().directory().toString());
            labels.put(Labels.LOG_FILES, Integer.toString(config.logs().maxFiles()));
            labels.put(Labels.LOG_SIZE, Long.toString(config.logs().maxFileSize()));
        }
        return labels;
    }

    /** The boot that this is, as labels have it. */
    static String boot() throws DriverTrouble {
        try {
            return BootId.read().value();
        } catch (KernelTrouble unreadable) {
            throw new DriverTrouble(unreadable.reason(), Effect.NONE, Retry.SAME_CALL, unreadable);
        }
    }
}
