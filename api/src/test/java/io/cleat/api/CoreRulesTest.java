package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import io.cleat.model.Resources;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cores that a task has for itself, as JSON has them. What is given -> what becomes of it. */
final class CoreRulesTest {
    private static Job job(String driver, String resources) throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Tasks':[{'Name':'t','Driver':'"
                + driver
                + "','Config':{'command':'c'},'Resources':"
                + resources
                + "}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    exec | {'Cores':-1} | number of cores must be 0 or more; got -1
                    exec | {'Cores':2,'CPU':100} | can only ask for 'cpu' or 'cores' resource, not both
                    exec | {'Cores':0,'CPU':0} | minimum CPU value is 1
                    raw_exec | {'Cores':1} | cores of a raw_exec task is not supported
                    """)
    void whatIsFaulty_isSaid(String driver, String resources, String words) throws Refused {
        String all = String.join("\n", JobValidation.faults(job(driver, resources)));
        assertTrue(all.contains(words), all);
    }

    @Test
    void coresStandInThePlaceOfTheShare() throws Refused {
        Job job = job("exec", "{'Cores':2}");
        assertEquals(List.of(), JobValidation.faults(job));
        JobSpec spec = JobConversion.toSpec(job);
        assertEquals(
                new Resources(0, 300, 0, 2, List.of()),
                spec.groups().getFirst().tasks().getFirst().resources());
        Job shown = JobConversion.toJob(spec, new StoredJob(0, 1, 1, 1, "running", "", false, false, 0));
        assertEquals(spec, JobConversion.toSpec(Canonical.stored(shown)));
    }
}
