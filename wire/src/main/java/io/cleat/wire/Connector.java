package io.cleat.wire;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;

/** How a node reaches a server. */
@FunctionalInterface
public interface Connector {
    /** Opens a new link, or says why not. */
    Link<ToServer, ToNode> connect(Deadline deadline) throws LinkTrouble, InterruptedException;
}
