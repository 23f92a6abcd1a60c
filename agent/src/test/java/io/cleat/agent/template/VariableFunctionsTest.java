package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.TestTime;
import io.cleat.base.Secrets;
import io.cleat.base.TemplateTrouble;
import io.cleat.testkit.FullJob;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What templates read of the cluster's variables. */
final class VariableFunctionsTest {
    private static final String JOB = FullJob.spec().id().id();
    private static final String NAMESPACE = FullJob.spec().id().namespace();
    private static final String OF_JOB = "nomad/jobs/" + JOB;
    private static final String OF_TASK = OF_JOB + "/g/t";

    @TempDir
    Path root;

    private final List<ToServer> asked = new ArrayList<>();
    private final NodeVariables node = new NodeVariables(asked::add);
    private final TaskVariables own = node.of("a-1", FullJob.spec(), "g", "t");
    private final TemplateInput input = new TemplateInput(Map.of(), path -> path, own, TaskServices.NONE);

    @BeforeEach
    void directory() throws Exception {
        Files.createDirectories(root.resolve("t/local"));
    }

    private Rendering rendering(String template) {
        return new Rendering(
                Templates.of("local/out", template.replace("JOB", JOB)),
                new TaskPlaces(root, "t"),
                new PlainFiles(),
                new TestTime(),
                input);
    }

    private RenderedFile file(String template) {
        TestTime time = new TestTime();
        return new RenderedFile(
                Templates.of("local/out", template.replace("JOB", JOB)),
                new TaskPlaces(root, "t"),
                new PlainFiles(),
                time,
                new RenderingBudget(time));
    }

    private void tell(long version, String fault, Map<String, Map<String, String>> byPath) {
        own.answer();
        node.hear(new ToNode.TaskVariables(
                "a-1",
                "t",
                byPath.entrySet().stream()
                        .map(each ->
                                new ToNode.TaskVariable(NAMESPACE, each.getKey(), version, Secrets.of(each.getValue())))
                        .toList(),
                fault));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "{{ with nomadVar \"nomad/jobs/JOB\" }}{{ .user }}:{{ .port }}{{ end }} ~ me:8080",
                "{{ range $k, $v := nomadVar \"nomad/jobs/JOB\" }}{{ $k }}={{ $v }};{{ end }} ~ port=8080;user=me;",
                "{{ index (nomadVar \"nomad/jobs/JOB/g/t\") \"a.b\" }} ~ <c>",
                "{{ (nomadVar \"nomad/jobs/JOB\").port | parseInt | add 1 }} ~ 8081",
                "{{ nomadVar \"nomad/jobs/JOB/g/t\" | toUnescapedJSON }} ~ {\"a.b\":\"<c>\"}",
                "{{ nomadVarExists \"nomad/jobs/JOB\" }}{{ nomadVarExists \"nomad/jobs\" }} ~ truefalse",
                "{{ range nomadVarList }}{{ .Path }},{{ end }} ~ nomad/jobs/JOB,nomad/jobs/JOB/g/t,",
                "{{ range nomadVarList \"nomad/jobs/JOB/\" }}{{ .Path }}@{{ .Namespace }}{{ end }} ~ "
                        + "nomad/jobs/JOB/g/t@NS",
                "{{ len (nomadVarList \"else\") }}{{ len (nomadVarListSafe \"nomad\") }} ~ 02",
                "{{ with nomadVar \"nomad/jobs/JOB@NS\" }}{{ .user }}{{ end }} ~ me",
            })
    void eachFunction_byWhatItGives(String template, String expected) throws Exception {
        tell(
                3,
                "",
                Map.of(
                        OF_JOB, Map.of("user", "me", "port", "8080"),
                        OF_TASK, Map.of("a.b", "<c>")));
        assertEquals(
                expected.replace("JOB", JOB).replace("NS", NAMESPACE),
                rendering(template.replace("NS", NAMESPACE)).text().orElseThrow());
    }

    /** Whatever a server has told: the node does not read for a task what is another's. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret",
                "nomad",
                "nomad/jobs/",
                "nomad/jobs/other",
                "nomad/jobs/JOB/g/other",
                "nomad/jobs/JOB/other",
                "nomad/jobs/JOB@elsewhere",
                "../nomad/jobs"
            })
    void whatIsNotTheTasksOwn_isRefused(String path) {
        tell(3, "", Map.of("secret", Map.of("a", "b"), "nomad/jobs/other", Map.of("a", "b")));
        TemplateTrouble trouble = assertThrows(
                TemplateTrouble.class,
                () -> rendering("{{ nomadVar \"" + path + "\" }}").text());
        assertTrue(
                trouble.reason().contains("a task may not read the variable")
                        && trouble.reason().contains(OF_TASK),
                trouble.reason());
    }

    @Test
    void whoAsksFirst_hasTheServerAsked_once_andSaysWhatItWaitsFor() throws Exception {
        RenderedFile file = file("{{ with nomadVar \"nomad/jobs/JOB\" }}{{ .user }}{{ end }}");
        assertEquals(Optional.of("nomadVar(" + OF_JOB + "), which no server has told yet"), file.write(input, false));
        file.write(input, false);
        assertEquals(List.of(new ToServer.VariablesWanted("a-1", "t", true)), asked);
        assertEquals(asked, node.wanted());
        tell(2, "", Map.of());
        assertEquals(Optional.of("nomadVar(" + OF_JOB + ")"), file.write(input, false));
        tell(3, "", Map.of(OF_JOB, Map.of("user", "me")));
        assertEquals(Optional.empty(), file.write(input, false));
        assertEquals("me", Files.readString(root.resolve("t/local/out")));
    }

    @Test
    void aVariableThatChanges_isRenderedAgain_andOneThatGoesLeavesTheText() throws Exception {
        tell(3, "", Map.of(OF_JOB, Map.of("user", "me")));
        RenderedFile file = file("{{ with nomadVar \"nomad/jobs/JOB\" }}{{ .user }}{{ end }}");
        assertEquals(Optional.empty(), file.write(input, false));
        assertTrue(file.isToBeWatched());
        assertFalse(file.refresh(input));
        tell(4, "", Map.of(OF_JOB, Map.of("user", "you")));
        assertTrue(file.refresh(input));
        assertEquals("you", Files.readString(root.resolve("t/local/out")));
        tell(5, "", Map.of(OF_JOB, Map.of("user", "you", "unused", "x")));
        assertFalse(file.refresh(input), "the same text is not told");
        tell(0, "", Map.of());
        assertFalse(file.refresh(input));
        assertEquals("you", Files.readString(root.resolve("t/local/out")));
    }

    /** What a server cannot read for want of its key is said, and the old text stays. */
    @Test
    void variablesThatTheServerCannotRead_areWaitedFor() throws Exception {
        tell(3, "the key is gone", Map.of());
        assertEquals(
                Optional.of("nomadVar(" + OF_JOB + "): the key is gone"),
                file("{{ nomadVar \"nomad/jobs/JOB\" }}").write(input, false));
    }

    /** An agent that begins anew knows nothing, and must not restart what runs by the same text. */
    @Test
    void aTaskThatWasTakenOver_isToldOnlyOfAnotherText() throws Exception {
        Files.writeString(root.resolve("t/local/out"), "me");
        RenderedFile file = file("{{ with nomadVar \"nomad/jobs/JOB\" }}{{ .user }}{{ end }}");
        assertFalse(file.adopt(input));
        assertTrue(file.isToBeWatched());
        tell(3, "", Map.of(OF_JOB, Map.of("user", "me")));
        assertFalse(file.refresh(input));
        tell(4, "", Map.of(OF_JOB, Map.of("user", "you")));
        assertTrue(file.refresh(input));
    }

    /** An event of a task is in the log of the cluster. */
    @Test
    void anError_showsNoValue_norWhatWasMadeOfOne() {
        tell(3, "", Map.of(OF_JOB, Map.of("user", "s3cr3t")));
        for (String made : List.of("", " | toUpper")) {
            TemplateTrouble trouble = assertThrows(
                    TemplateTrouble.class,
                    () -> rendering("{{ (nomadVar \"nomad/jobs/JOB\").user" + made + " | parseInt }}")
                            .text());
            assertFalse(trouble.reason().toLowerCase(Locale.ROOT).contains("s3cr3t"), trouble.reason());
            assertTrue(trouble.reason().contains("is not a whole number"), trouble.reason());
        }
    }

    @Test
    void aTaskThatHasEnded_isForgotten_andTheServerIsToldSo() {
        tell(3, "", Map.of(OF_JOB, Map.of("user", "me")));
        asked.clear();
        node.forget("a-1", "t");
        node.forget("a-1", "t");
        assertEquals(List.of(new ToServer.VariablesWanted("a-1", "t", false)), asked);
        assertEquals(List.of(), node.wanted());
        node.hear(new ToNode.TaskVariables("a-1", "t", List.of(), ""));
        assertEquals(List.of(), node.wanted(), "what nobody wants is not kept");
    }

    /** A copy of a job reads what is kept for the job. */
    @Test
    void aCopyOfAJob_readsTheVariablesOfTheJob() {
        String parent = FullJob.child().parent().orElseThrow().id();
        assertEquals(
                List.of(
                        "nomad/jobs",
                        "nomad/jobs/" + parent,
                        "nomad/jobs/" + parent + "/g",
                        "nomad/jobs/" + parent + "/g/t"),
                node.of("a-2", FullJob.child(), "g", "t").paths());
    }
}
