package io.cleat.state;

import io.cleat.model.ServicePlace;

/**
 * A service that others find: it is there while its allocation runs, and stored nowhere.
 *
 * @param datacenter of the allocation's node
 */
public record Registration(ServicePlace place, AllocationRow allocation, String datacenter) {
    public String id() {
        return place.id();
    }

    public String name() {
        return place.name();
    }

    public String namespace() {
        return allocation.job().namespace();
    }
}
