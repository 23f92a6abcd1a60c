package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.JobValidateResponse;
import io.cleat.api.Json;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.WriteQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Job files that people were given, and those that clients were recorded with, are valid. */
final class JobFilesTest {
    private static final Path EXAMPLES = Path.of("../examples");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    /** Of a file: a variable that must be given, of whatever type. */
    private static final Pattern REQUIRED = Pattern.compile("variable \"([^\"]+)\" \\{(?:(?!default)[^}])*}");

    static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".nomad.hcl"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleIsValid(Path file) throws Exception {
        String text = Files.readString(file);
        StringBuilder variables = new StringBuilder();
        REQUIRED.matcher(text)
                .results()
                .forEach(found -> variables.append(found.group(1)).append(" = \"/given\"\n"));
        assertValid(parsed(new JobParseRequest(true, text, variables.toString())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"24-parse", "25-parse-canonical"})
    void aRecordedTextIsValid(String recording) throws Exception {
        assertValid(parsed(Json.fromTree(Recording.of(recording).request().get("body"), JobParseRequest.class)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10-validate-plugin-job",
                "11-plan-plugin-job",
                "12-register-plugin-job",
                "27-plan",
                "28-register-job",
                "59-second-writer-plan"
            })
    void aRecordedJobIsValid(String recording) throws Exception {
        Job job = Json.fromTree(Recording.of(recording).request().get("body"), JobPlanRequest.class)
                .Job();
        assertNotNull(job);
        assertValid(job);
    }

    private static Job parsed(JobParseRequest request) throws Exception {
        return SampleCluster.start().cluster().jobDrafts().parse(request);
    }

    private static void assertValid(Job job) throws Exception {
        JobValidateResponse answer =
                SampleCluster.whole().cluster().jobDrafts().validate(WRITE, new JobValidateRequest(job));
        assertEquals("", answer.Error());
        assertTrue(
                answer.ValidationErrors() == null || answer.ValidationErrors().isEmpty());
    }
}
