package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.http.AbsentPaths;
import io.cleat.http.AgentLocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page for people who come with clients lists the paths that there are. */
class CompatibilityPageTest {
    private static final Path PAGE = Path.of("../docs/compatibility.md");

    private static Set<String> rows(String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(PAGE))
                .results()
                .map(row -> row.group(1) + " " + row.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachPathThatIsServed_isListed_andNoOther() throws IOException {
        assertEquals(
                ClusterRoutes.of(SampleCluster.start().cluster(), HostileFieldsTest.absentNode(), AgentLocator.HERE)
                        .stream()
                        .map(route -> route.method() + " " + route.pattern())
                        .collect(Collectors.toCollection(TreeSet::new)),
                rows("^\\| ([A-Z]+) \\| `([^`]+)` \\| (?:same|better: .+|own: .+) \\|$"));
    }

    @Test
    void eachPathThatIsNot_isListedWithWhatIsSaid() throws IOException {
        assertEquals(AbsentPaths.listed(), rows("^\\| `(/v1/[^`]+)` \\| ((?!same|own|better).+) \\|$"));
    }
}
