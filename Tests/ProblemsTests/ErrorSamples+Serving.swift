import Cryptography
import Enrolment
import GitRepositories
import HTTPServing
import Mirrors
@testable import OTAClient
@testable import OTAServer
import Problems
import Releases
import Sandboxing
import Testing
import Uploads
import Versions

/// Values of the errors of mirrors, of the server and of its client.
extension ErrorSamples {
    func serving() throws -> [any ReportableError] { try server + client() }

    var mirrors: [any ReportableError] { settings + git }

    private var settings: [any ReportableError] {
        ([
            .unknown("x"), .nameTaken(slug), .badName(" "), .tooMany(1), .noRun(1),
            .runIsOver(1), .queueFull(1), .movedTag("v1", from: "a", to: "b"),
            .tagElsewhere("v1", on: "a", "b"), .noVersion("x", .tooLong),
            .movedAgain("v1", to: "b"), .nothingToBuild, .noUser("x"), .needsRoot("x"),
            .noSandbox, .busy(slug), .badSetting("interval", "a number"),
            .badSecrets("the secrets are no lines"), .badCredential("it is empty", "give one"),
            .shortSecret("KEY"), .weakHookSecret, .paused(slug),
            .syncTakesLong(slug, seconds: 30), .noArtifact("a", build: 1),
            .foreignApp("a", slug, only: "b"), .notSynced(slug), .noFolder,
        ] as [MirrorRefusal])
            + [PipelineFlaw(line: 1, column: 1, reason: "there are no steps")]
            + ([
                .noPipe(reason: "too many open files"), .notFound("git"),
                .notStarted("git", reason: "permission denied"),
            ] as [ProcessFailure])
    }

    private var git: [any ReportableError] {
        ([
            .empty, .tooLong, .option("-x"), .character(" "), .helper("ext::x"), .scheme("ftp"),
            .file, .climbs("a/../b"), .noPath, .host("a b"), .password,
        ] as [AddressFlaw])
            + ([
                .noFolder("a"), .notAFolder("a"), .noRepository("a"),
                .unusable("a", said: "bad object"), .noCommit("a"), .shallow("a"),
            ] as [CheckoutRefusal])
            + ([
                .path("../a"), .address("a", .empty), .otherServer("a", "b.example"),
                .climbs("a"), .notListed("a"), .tooMany, .tooDeep("a"),
                .absent("a", commit: "0123456789"),
            ] as [SubmoduleFlaw])
            + ([
                .failed("fetch", status: 1, said: "denied"), .timedOut("fetch", .seconds(1)),
                .tooMuchOutput("fetch", bytes: 1), .signalled("fetch", signal: 9),
                .tooLarge(bytes: 1), .tooManyFiles(2, limit: 1), .badReference("x y"),
                .badCommit("x"), .unknown("refs/tags/v1"), .redirected(301), .tooOld,
                .insideAddress("10.0.0.1"),
                .insideName("git.example", at: "10.0.0.1", "in a private network"),
            ] as [GitFailure])
    }

    private var server: [any ReportableError] {
        ([
            .unreadable(path: "/a", reason: "denied"), .noCertificate(path: "/a"),
            .malformed(path: "/a", reason: "it is no PEM"), .wrongOrder(position: 2),
            .incomplete(missing: "a root"), .keyDoesNotMatch, .authorityAsLeaf,
            .notYetValid(date), .expired(date), .wrongHost("a.example", names: ["b.example"]),
            .unusable(reason: "its key is too short"),
        ] as [CertificateProblem])
            + ([.empty, .characters, .scheme, .path, .port, .wildcard, .name] as [WrongHost])
            + ([.notAnAddress, .block] as [WrongProxyAddress])
            + ([
                .malformed("it has two lengths"), .targetTooLong, .headTooLarge, .tooManyFields,
                .bodyTooLarge, .versionNotSupported, .methodNotImplemented, .timedOut,
                .misdirected,
            ] as [RefusedRequest])
            + [ListenFailure(host: "::1", port: 443, cause: .taken)]
            + refusals
    }

    private var refusals: [Refusal] {
        [
            .notFound, .methodNotAllowed([.get]), .expiredInstall, .withdrawn(reason: ""),
            .withdrawn(reason: "It crashes."), .replaced, .notForDevice, .notSignedIn,
            .notAllowed, .forgedForm, .tooManyGuesses(wait: 3), .malformed("the form is cut"),
            .tooLarge(limit: 1), .badEnrolment(.notFlat), .cut, .overloaded,
            .noRoom("free space"), .unavailable("the store"),
        ]
    }

    private func client() throws -> [any ReportableError] {
        let proxy = try ProxyServer("http://proxy.example.com:3128", from: "HTTPS_PROXY")
        let problem = Problem(id: "app.unknown", kind: .notFound, message: "there is no app")
        let proxies: [ProxyFailure] = [
            .unusable(variable: "HTTPS_PROXY", .socks), .unreachable(proxy, reason: "it is off"),
            .untrusted(proxy, reason: "it has no name"), .refused(proxy, status: 403, baseURL),
            .refused(proxy, status: 407, baseURL), .refused(proxy, status: 502, baseURL),
            .tooSlow(proxy, baseURL), .cut(proxy, baseURL), .notUnderstood(proxy),
        ]
        let servers: [ServerFailure] = [
            .refused(problem), .unreachable(baseURL, reason: "it is off"),
            .untrusted(baseURL, reason: "it has no name"), .misnamed(baseURL, names: []),
            .notUnderstood(baseURL, status: 200), .newer(baseURL, schema: 2), .tooSlow(baseURL),
            .cut(baseURL), .proxy(.notUnderstood(proxy)), .noToken, .malformedToken,
        ]
        let flaws: [ProxyServer.Flaw] = [
            .characters, .scheme, .socks, .credentials, .path, .host, .port,
        ]
        let uploads: [UploadFailure] = [
            .server(.cut(baseURL)), .unable(UploadAnswer(status: 503, body: "")), .outOfStep,
            .lost, .notOurs(status: 502), .notUnderstood("it has no state"),
        ]
        return proxies + servers + flaws + uploads
    }
}
