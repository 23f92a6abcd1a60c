package io.cleat.driver.docker;

import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What containers of ours say of themselves; others are never touched. */
final class Labels {
    static final String PREFIX = "io.cleat.";

    /** Of which node it is: an id that no other node has. */
    static final String NODE = PREFIX + "node";

    static final String ALLOCATION = PREFIX + "alloc";
    static final String TASK = PREFIX + "task";

    /** The id of the task's run. */
    static final String RUN = PREFIX + "run";

    /** The name of its image, as the job has it. */
    static final String IMAGE = PREFIX + "image";

    /** In which life of the machine it was made. */
    static final String BOOT = PREFIX + "boot";

    /** Where its output is kept; absent if it is not. */
    static final String LOGS = PREFIX + "logs";

    static final String LOG_FILES = PREFIX + "log-files";

    /** Bytes. */
    static final String LOG_SIZE = PREFIX + "log-size";

    private Labels() {}

    /** As the engine says them. */
    static Map<String, String> of(JsonNode said) {
        Map<String, String> labels = new TreeMap<>();
        said.properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return labels;
    }
}
