package io.cleat.agent.network;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the machine's own programs are, whatever the agent was started with. */
final class SystemPrograms {
    static final String SEARCHED = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private SystemPrograms() {}

    static Optional<Path> find(String name) {
        return List.of(SEARCHED.split(":")).stream()
                .map(directory -> Path.of(directory, name))
                .filter(program -> Files.isExecutable(program))
                .findFirst();
    }
}
