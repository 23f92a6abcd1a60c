package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the words of a job mean as a source. */
final class ArtifactSourceTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "https://h/f.tgz,                          HTTP, https://h/f.tgz,             ''",
        "http::https://h/f.tgz,                    HTTP, https://h/f.tgz,             ''",
        "https://h:8443/f.zip//a/b,                HTTP, https://h:8443/f.zip,        a/b",
        "https://h/f.zip//a?x=1&archive=zip&y=2,   HTTP, https://h/f.zip?x=1&y=2,     a",
        "https://u:p@h/f,                          HTTP, https://u:p@h/f,             ''",
        "/srv/f.tgz,                               FILE, /srv/f.tgz,                  ''",
        "file::/srv/f.tgz,                         FILE, /srv/f.tgz,                  ''",
        "file:///srv/f.tgz,                        FILE, /srv/f.tgz,                  ''",
        "git::https://h/n.git,                     GIT,  https://h/n.git,             ''",
        "git::https://h/n.git//d/e?ref=v1&depth=1, GIT,  https://h/n.git,             d/e",
        "git::ssh://git@h:2222/n.git,              GIT,  ssh://git@h:2222/n.git,      ''",
        "ssh://git@h/n.git,                        GIT,  ssh://git@h/n.git,           ''",
        "git@github.com:o/n.git,                   GIT,  ssh://git@github.com/o/n.git,''",
        "git::git@h:o/n.git//d?ref=main,           GIT,  ssh://git@h/o/n.git,         d",
        "github.com/o/n,                           GIT,  https://github.com/o/n.git,  ''",
        "github.com/o/n.git?ref=v2,                GIT,  https://github.com/o/n.git,  ''",
        "github.com/o/n/d/e,                       GIT,  https://github.com/o/n.git,  d/e",
        "github.com/o/n//d?ref=v2,                 GIT,  https://github.com/o/n.git,  d",
        "gitlab.com/o/n,                           GIT,  https://gitlab.com/o/n.git,  ''",
        "bitbucket.org/o/n,                        GIT,  https://bitbucket.org/o/n.git,''",
    })
    void sourcesAreRead(String given, ArtifactSource.Kind kind, String location, String below) throws Refused {
        ArtifactSource read = ArtifactSource.parse(given, Map.of());
        assertEquals(kind, read.kind());
        assertEquals(location, read.location());
        assertEquals(below, read.subdirectory());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "s3::https://s3.amazonaws.com/b/k,           https address",
        "s3.amazonaws.com/b/k,                       https address",
        "gcs::https://www.googleapis.com/storage/b,  https address",
        "www.googleapis.com/storage/v1/b/k,          https address",
        "hg::https://h/r,                            use git",
        "ftp://h/f,                                  'expected one of http, https, git'",
        "local/f.tgz,                                neither a URL nor an absolute path",
        "https://h/f.zip//../x,                      no directory below",
        "https://h/f.zip//,                          name a directory after it",
        "https://h/f?ref=main,                       says nothing about a file",
        "git::https://h/n.git?archive=zip,           says nothing about a git repository",
        "git::https://h/n.git?shape=round,           \"shape\" is not known",
        "git::https://h/n.git?depth=-1,              a number of commits",
        "http::file:///etc/shadow,                  no http or https URL",
        "http::/etc/shadow,                         no http or https URL",
        "http::h/f,                                 no http or https URL",
        "https://h/f?archive=rar,                    expected false",
        "https://h/f?checksum=sha256:12,             64 hexadecimal digits",
        "https://h/f?checksum=crc32:12345678,        no known kind",
        "https://h/f?checksum=file:/etc/shadow,      http or https URL",
        "https://h/f?filename=../x,                  one name without slashes",
    })
    void whatCannotBeFetchedIsRefusedWithWhatToDo(String given, String words) {
        Refused refused = assertThrows(Refused.class, () -> ArtifactSource.parse(given, Map.of()));
        assertTrue(
                refused.refusal().message().contains(words),
                () -> refused.refusal().message());
    }

    @Test
    void optionsCountBeforeTheQueryAndUnknownOnesGoIntoTheRequest() throws Refused {
        ArtifactSource read =
                ArtifactSource.parse("https://h/f?archive=zip", Map.of("archive", "false", "token", "a b"));
        assertEquals(Map.of("archive", "false"), read.options());
        assertEquals("https://h/f?token=a+b", read.location());
    }

    @Test
    void whatIsShownHoldsNoCredentials() throws Refused {
        assertEquals(
                "https://h/f.zip//d",
                ArtifactSource.parse("https://u:secret@h/f.zip//d?sig=abcd", Map.of())
                        .shown());
        assertEquals(
                "git::https://h/n.git?ref=v1",
                ArtifactSource.parse("git::https://token@h/n.git?ref=v1&sshkey=QUJD", Map.of())
                        .shown());
        assertEquals("https://h/f", ArtifactSource.shown("https://u:secret@h/f?sig=abcd"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a.tar.gz, TAR, GZIP, a",
        "a.tgz,    TAR, GZIP, a",
        "a.tar.bz2,TAR, BZIP2,a",
        "a.TXZ,    TAR, XZ,   a",
        "a.tar.zst,TAR, ZSTD, a",
        "a.tar,    TAR, NONE, a",
        "a.b.zip,  ZIP, NONE, a.b",
        "a.txt.gz, NONE,GZIP, a.txt",
    })
    void namesSayHowTheyArePacked(
            String name, ArtifactPacking.Container container, ArtifactPacking.Compression compression, String without) {
        assertEquals(
                new ArtifactPacking(container, compression),
                ArtifactPacking.ofName(name).orElseThrow());
        assertEquals(without, ArtifactPacking.nameWithout(name));
    }

    @Test
    void aDigestAloneSaysItsKindByItsLength() throws Refused {
        assertEquals(
                ArtifactChecksum.Algorithm.SHA1,
                ArtifactChecksum.parse("A".repeat(40)).algorithm().orElseThrow());
        assertEquals("a".repeat(40), ArtifactChecksum.parse("A".repeat(40)).digest());
    }
}
