package io.cleat.driverplugin;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.cleat.driverschema.BaseProto;
import io.cleat.driverschema.DriverProto;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A driver plugin over the real go-plugin, which {@code ./dev setup} builds. */
final class Fixture {
    static final String NAME = "cleat-driver-fixture";

    private Fixture() {}

    /** Where it is; the test is skipped without it. */
    static Path program() throws IOException {
        Path program = Stream.of(System.getenv("GOBIN"), gopath(), System.getProperty("user.home") + "/go/bin")
                .filter(part -> part != null && !part.isEmpty())
                .map(part -> Path.of(part, NAME))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of(NAME));
        Assumptions.assumeTrue(Files.isExecutable(program), "reason: " + NAME + " is absent: ./dev setup -y brings it");
        return program;
    }

    private static String gopath() {
        String path = System.getenv("GOPATH");
        return path == null ? "" : path + "/bin";
    }

    /** Its settings; what it speaks is written into the directory. */
    static PluginSettings in(Path directory, Map<String, Object> config, String... args) throws IOException {
        Path schema = directory.resolve("schema");
        Files.write(schema, descriptors().toByteArray());
        List<String> all = new ArrayList<>(List.of("-schema=" + schema));
        all.addAll(List.of(args));
        return new PluginSettings(NAME, program(), all, config);
    }

    private static FileDescriptorSet descriptors() {
        Map<String, FileDescriptor> files = new LinkedHashMap<>();
        add(BaseProto.getDescriptor(), files);
        add(DriverProto.getDescriptor(), files);
        FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
        files.values().forEach(file -> set.addFile(file.toProto()));
        return set.build();
    }

    private static void add(FileDescriptor file, Map<String, FileDescriptor> files) {
        file.getDependencies().forEach(each -> add(each, files));
        files.put(file.getName(), file);
    }

    /** The words of a file that was printed to. */
    static String words(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
    }
}
