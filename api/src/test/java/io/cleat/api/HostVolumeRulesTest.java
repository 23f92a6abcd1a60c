package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import io.cleat.model.AccessMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Host volumes of a job. What is given -> what is wrong, and what becomes of it. */
final class HostVolumeRulesTest {
    private static final StoredJob STORED = new StoredJob(0, 1, 1, 1, "running", "", false, false, 0);

    private static Job job(String volume, String mount) throws Refused {
        String text = "{'ID':'j','TaskGroups':[{'Name':'g','Volumes':{'v':{'Type':'host',"
                + volume
                + "'Source':'s'}},'Tasks':[{'VolumeMounts':[{"
                + mount
                + "'Volume':'v','Destination':'/d'}],'Name':'t','Driver':'exec','Config':{'command':'c'}}]}]}";
        return Canonical.stored(Json.read(text.replace('\'', '"'), Job.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    'AccessMode':'multi-node-multi-writer', |  | cannot have the access mode "multi-node-multi-writer": they are of one node
                    'AccessMode':'writer', |  | cannot have the access mode "writer"
                    'AccessMode':'single-node-reader-only', |  | single-node-reader-only volumes must be read-only
                    'AttachmentMode':'block-device', |  | attachment_mode "block-device" is not supported
                    'MountOptions':{'FSType':'ext4'}, |  | host volumes cannot have mount options
                    'Sticky':true,'PerAlloc':true, |  | per_alloc and sticky at the same time
                     | 'PropagationMode':'bidirectional', | "bidirectional" of a host volume
                    """)
    void whatIsFaulty_isSaid(String volume, String mount, String words) throws Refused {
        String all =
                String.join("\n", JobValidation.faults(job(volume == null ? "" : volume, mount == null ? "" : mount)));
        assertTrue(all.contains(words), all);
    }

    @Test
    void whatIsLeftOutIsTheUsual_andIsShownAsItWasGiven() throws Refused {
        for (boolean readOnly : List.of(false, true)) {
            Job given = job("'ReadOnly':" + readOnly + ",", "");
            assertEquals(List.of(), JobValidation.faults(given));
            var volume = volume(given);
            assertTrue(volume.isForHost());
            assertFalse(volume.asksFor("s"), "no CSI volume");
            assertEquals(
                    readOnly ? AccessMode.SINGLE_NODE_READER_ONLY : AccessMode.SINGLE_NODE_WRITER,
                    volume.modes().access());
            assertEquals(requests(given), requests(again(given)));
        }
    }

    @Test
    void whatIsSaidIsKept() throws Refused {
        Job given = job("'AccessMode':'single-node-single-writer','AttachmentMode':'file-system','PerAlloc':true,", "");
        assertEquals(List.of(), JobValidation.faults(given));
        assertEquals(AccessMode.SINGLE_NODE_SINGLE_WRITER, volume(given).modes().access());
        assertEquals(requests(given), requests(again(given)));
    }

    @Test
    void aGroupMayKeepItsVolume() throws Exception {
        Job given = job("'Sticky':true,", "");
        assertEquals(List.of(), JobValidation.faults(given));
        assertTrue(volume(given).isSticky());
        assertEquals(requests(given), requests(again(given)));
    }

    private static io.cleat.model.VolumeRequest volume(Job given) throws Refused {
        return Objects.requireNonNull(
                JobConversion.toSpec(given).groups().getFirst().volumes().get("v"));
    }

    private static Job again(Job given) throws Refused {
        return JobConversion.toJob(JobConversion.toSpec(given), STORED);
    }

    private static Map<String, VolumeRequest> requests(Job job) {
        return Objects.requireNonNull(
                Objects.requireNonNull(job.TaskGroups()).getFirst().Volumes());
    }
}
