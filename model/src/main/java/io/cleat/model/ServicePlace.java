package io.cleat.model;

import java.util.List;

/**
 * Where one allocation's service is found.
 *
 * @param id of this place alone, for as long as the allocation runs
 * @param address a host's name or address; empty for none
 * @param port 0 for none
 */
public record ServicePlace(String id, String name, List<String> tags, String address, int port) {
    public ServicePlace {
        tags = List.copyOf(tags);
    }
}
