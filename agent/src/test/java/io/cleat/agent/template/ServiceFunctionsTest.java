package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.TemplateTrouble;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What templates read of services. */
final class ServiceFunctionsTest {
    @TempDir
    Path root;

    private final List<ToServer> asked = new ArrayList<>();
    private final NodeServices node = new NodeServices(asked::add);
    private final TaskServices own = node.of("a-1");
    private final TemplateInput input = new TemplateInput(Map.of(), path -> path, TaskVariables.NONE, own);

    @BeforeEach
    void directory() throws Exception {
        Files.createDirectories(root.resolve("t/local"));
    }

    private Rendering rendering(String template) {
        return new Rendering(
                Templates.of("local/out", template),
                new TaskPlaces(root, "t"),
                new PlainFiles(),
                new TestTime(),
                input);
    }

    private static ToNode.ServicePlace place(String name, int port) {
        return new ToNode.ServicePlace(
                port == 0 ? "" : "id-" + port,
                name,
                "n-1",
                "dc1",
                "job",
                "a-" + port,
                List.of("blue"),
                port == 0 ? "" : "10.0.0.7",
                port);
    }

    private void tell(String name, ToNode.ServicePlace... places) {
        own.answer(name);
        node.hear(new ToNode.ServicePlaces("a-1", name, List.of(places), ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{{ range nomadService \"web\" }}{{ .Address }}:{{ .Port }};{{ end }} ~ 10.0.0.7:80;10.0.0.7:81;",
                "{{ range nomadService \"web\" }}{{ .ID }}{{ .Name }}{{ .Node }}{{ .Datacenter }}{{ .JobID }}{{ "
                        + ".AllocID }}{{ index .Tags 0 }},{{ end }} ~ "
                        + "id-80webn-1dc1joba-80blue,id-81webn-1dc1joba-81blue,",
                "{{ len (nomadService 1 \"key\" \"web\") }}{{ len (nomadService 9 \"key\" \"web\") }} ~ 12",
                "{{ len (nomadService \"none\") }} ~ 0",
                "{{ range nomadServices }}{{ .Name }}{{ .Tags }}{{ end }} ~ web[blue]",
            })
    void eachFunction_byWhatItGives(String template, String expected) throws Exception {
        tell("web", place("web", 80), place("web", 81));
        tell("none");
        tell("", place("web", 0));
        assertEquals(expected, rendering(template).text().orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "{{ nomadService \"a_b\" }} ~ must be valid per RFC 1123",
                "{{ nomadService 0 \"key\" \"web\" }} ~ chooses 1 or more",
                "{{ nomadService 1 \"web\" }} ~ a number, a key and a name",
            })
    void whatIsWrong_isSaid(String template, String words) {
        TemplateTrouble wrong =
                assertThrows(TemplateTrouble.class, () -> rendering(template).text());
        assertTrue(wrong.reason().contains(words), wrong.reason());
    }

    @Test
    void nothingToldYet_itIsAskedForOnce_andWaitedFor() throws Exception {
        String template = "{{ len (nomadService \"web\") }}";
        Rendering first = rendering(template);
        assertEquals(Optional.empty(), first.text());
        assertEquals(Optional.of("nomadService(web), which no server has told yet"), first.missing());
        assertEquals(Optional.empty(), rendering(template).text());
        assertEquals(List.of(new ToServer.ServicesWanted("a-1", "web", true)), asked);
        assertEquals(asked, node.wanted(), "a new link is asked again");
        node.hear(new ToNode.ServicePlaces("a-1", "web", List.of(), "there are too many"));
        Rendering faulty = rendering(template);
        assertEquals(Optional.empty(), faulty.text());
        assertEquals(Optional.of("nomadService(web): there are too many"), faulty.missing());
    }

    @Test
    void anotherPlace_isSeen_andTheSameToldAgainIsNot() throws Exception {
        tell("web", place("web", 80));
        Rendering rendering = rendering("{{ len (nomadService \"web\") }}");
        rendering.text();
        MadeOf made = rendering.made();
        tell("web", place("web", 80));
        assertEquals(made, made.now(new PlainFiles(), input));
        tell("web", place("web", 80), place("web", 81));
        assertFalse(made.now(new PlainFiles(), input).equals(made));
    }

    @Test
    void whatEnded_isForgotten_andWantsNoMore() {
        tell("web", place("web", 80));
        node.forget("a-2");
        assertEquals(1, node.wanted().size());
        node.forget("a-1");
        assertEquals(List.of(), node.wanted());
        assertEquals(new ToServer.ServicesWanted("a-1", "web", false), asked.getLast());
    }

    @Test
    void moreNamesThanAnAllocationMayAskFor_areRefused() {
        for (int number = 0; number < 100; number++) {
            own.answer("s" + number);
        }
        assertTrue(own.answer("more").orElseThrow().fault().contains("may read 100 services"));
        assertEquals(100, asked.size());
    }
}
