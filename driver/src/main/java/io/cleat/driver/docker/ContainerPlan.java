package io.cleat.driver.docker;

import io.cleat.driver.TaskConfig;
import java.util.List;
import java.util.Map;

/**
 * All that a container is made of.
 *
 * @param image as the engine knows it: its id
 * @param hostname empty for the engine's choice
 * @param mounts as the engine takes them
 * @param binds as the engine takes them: {@code source:target:options}
 * @param devices as the engine takes them
 */
record ContainerPlan(
        TaskConfig config,
        DockerBlock block,
        String image,
        String hostname,
        Map<String, String> labels,
        List<Map<String, Object>> mounts,
        List<String> binds,
        List<Map<String, Object>> devices) {}
