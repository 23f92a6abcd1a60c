package io.cleat.wire;

import io.cleat.base.Threads;

class InProcessLinkTest extends LinkContract {
    @Override
    Connector connectorTo(Sessions sessions) {
        return InProcessLink.to(sessions, Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        }));
    }
}
