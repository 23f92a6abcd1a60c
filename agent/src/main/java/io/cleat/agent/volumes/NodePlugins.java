package io.cleat.agent.volumes;

import io.cleat.base.Deadline;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The port to the node's plugins: which instance of each is to be called now. */
public interface NodePlugins {
    /** The instance in use; empty while there is none that answers. */
    Optional<NodePlugin> current(String pluginId);

    /**
     * Why there is none, as the end of a sentence that begins with the plugin: that none of its tasks runs here, or
     * what the one that does has answered.
     */
    String absence(String pluginId);

    /**
     * Blocks until {@link #current} is no longer {@code seen}, at once if it is so already, or until {@code deadline};
     * or until it is enough, which is asked again at each {@link #stir}.
     */
    void awaitChange(String pluginId, Optional<NodePlugin> seen, BooleanSupplier isEnough, Deadline deadline)
            throws InterruptedException;

    /** Has all who wait ask again whether it is enough. */
    void stir();
}
