package io.cleat.wire;

/** What a server does with each new link of a node. */
@FunctionalInterface
public interface Sessions {
    /** Serves one link on the calling thread until it closes. */
    void serve(Link<ToNode, ToServer> link) throws InterruptedException;
}
