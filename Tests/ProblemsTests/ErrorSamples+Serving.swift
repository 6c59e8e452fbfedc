@testable import ACME
import Administration
import Cryptography
import Enrolment
import Foundation
import GitRepositories
@testable import HTTPServing
import HTTPTypes
@testable import Mirrors
@testable import OTAClient
import Problems
import Releases
import Runners
import Sandboxing
import SigningOrders
import SiteServices
import Testing
import Uploads
import Versions

/// Values of the errors of mirrors, the server and its client.
extension ErrorSamples {
    func serving() throws -> [any ReportableError] {
        var all: [any ReportableError] = []
        func add(_ errors: [any ReportableError]) { all += errors }
        let variables = ["HTTPS_PROXY": "http://proxy.example.com:3128"]
        let proxy = try #require(try ProxyServer.leading(to: baseURL, in: variables))
        add(
            [
                .unknown("x"), .nameTaken(slug), .badName(" "), .tooMany(1), .noRun(1),
                .runIsOver(1), .runIsDelivering(1), .queueFull(1),
                .movedTag("v1", from: "a", to: "b"),
                .tagElsewhere("v1", on: "a", "b"), .noVersion("x", .tooLong),
                .movedAgain("v1", to: "b"), .nothingToBuild, .noUser("x"), .needsRoot("x"),
                .noSandbox, .busy(slug), .badSetting("interval", "a number"),
                .badSecrets("the secrets are no lines"), .badCredential("it is empty", "give one"),
                .shortSecret("KEY"), .weakHookSecret, .paused(slug),
                .syncTakesLong(slug, seconds: 30), .noArtifact("a", build: 1),
                .foreignApp("a", slug, only: "b"), .notSynced(slug), .noFolder,
            ] as [MirrorRefusal]
        )
        add(
            [
                .unknown("x"), .nameTaken(slug), .badName(" "), .badLabel("X"), .tooMany(1),
                .tooManyLabels(1), .tooManyMirrors(1), .noMirror, .wrongCode, .codeExpired(slug),
                .unknownToken, .leaseEnded, .wrongOffset(.log, expected: 1),
                .tooLarge(.archive, limit: 1), .pieceTooLarge(.log, limit: 1),
                .incomplete(expected: 2, found: 1), .wrongDigest,
                .badReport("steps", "steps of this build"), .noFiles, .noRoom(bytes: 1),
                .noRepository(slug),
            ] as [RunnerRefusal]
        )
        add(
            [
                .noPipe(reason: "too many open files"), .notFound("git"),
                .notStarted("git", reason: "permission denied"),
            ] as [ProcessFailure]
        )
        add([ConfinementFailure(code: 1)])
        add(
            [
                .unreachable(host: "a", reason: "b"), .untrusted(host: "a", reason: "b"),
                .tooSlow(host: "a", seconds: 60), .answerTooLarge(host: "a", limit: 1),
                .interrupted, .unreadable(host: "a", reason: "b"), .foreignAddress("http://a"),
                .unavailable(host: "a", status: 503, until: nil), .accountBinding(host: "a"),
                .unusableHost("192.168.1.2"), .noChallenge(name: "a", offered: ["dns-01"]),
                .notReached(name: "a", .http, said: "timeout"),
                .answeredElsewhere(name: "a", .tls, said: "404"),
                .noAddress(name: "a", said: "NXDOMAIN"), .otherAuthorities(name: "a", said: ""),
                .nameRefused(said: ""),
                .rateLimited(until: Date(timeIntervalSince1970: 1), said: "too many"),
                .refused(word: "malformed", said: "no"),
                .unfinished(what: "the certificate", seconds: 120),
                .badCertificate(.keyDoesNotMatch), .key(.damaged),
            ] as [ACMEFailure]
        )
        add([MalformedACMEDirectory(text: "http://a.example")])
        add(
            [
                .timedOut(.seconds(1)), .badAnswer, .noAnswer(status: 1), .ended(signal: 9),
            ] as [SigningProcessFailure]
        )
        add([.noOrder, .tooLarge(limit: 1), .noReader] as [SigningOrderRefusal])
        add(
            [
                .empty, .tooLong, .option("-x"), .character(" "), .helper("ext::x"), .scheme("ftp"),
                .file, .climbs("a/../b"), .noPath, .host("a b"), .password,
            ] as [AddressFlaw]
        )
        add(
            [
                .noFolder("a"), .notAFolder("a"), .noRepository("a"),
                .unusable("a", said: "bad object"), .noCommit("a"), .shallow("a"),
            ] as [CheckoutRefusal]
        )
        add(
            [
                .path("../a"), .address("a", .empty), .otherServer("a", "b.example"),
                .climbs("a"), .notListed("a"), .tooMany, .tooDeep("a"),
                .absent("a", commit: "0123456789"),
            ] as [SubmoduleFlaw]
        )
        add(
            [
                .failed("fetch", status: 1, said: "denied"), .timedOut("fetch", .seconds(1)),
                .tooMuchOutput("fetch", bytes: 1), .signalled("fetch", signal: 9),
                .tooLarge(bytes: 1), .tooManyFiles(2, limit: 1), .badReference("x y"),
                .badCommit("x"), .unknown("refs/tags/v1"), .redirected(301), .tooOld,
                .insideAddress("10.0.0.1"),
                .insideName("git.example", at: "10.0.0.1", "in a private network"),
            ] as [GitFailure]
        )
        add(
            [
                .unreadable(path: "/a", reason: "denied"), .noCertificate(path: "/a"),
                .malformed(path: "/a", reason: "it is no PEM"), .wrongOrder(position: 2),
                .incomplete(missing: "a root"), .keyDoesNotMatch, .authorityAsLeaf,
                .notYetValid(date), .expired(date), .wrongHost("a.example", names: ["b.example"]),
                .unusable(reason: "its key is too short"),
            ] as [CertificateProblem]
        )
        add([.empty, .characters, .scheme, .path, .port, .wildcard, .name] as [WrongHost])
        add([.notAnAddress, .block] as [WrongProxyAddress])
        add(
            [
                .malformed("it has two lengths"), .targetTooLong, .headTooLarge, .tooManyFields,
                .bodyTooLarge, .versionNotSupported, .methodNotImplemented, .timedOut,
                .misdirected,
            ] as [RefusedRequest]
        )
        add([
            PipelineFlaw(line: 1, column: 1, reason: "there are no steps"),
            ListenFailure(host: "::1", port: 443, cause: .taken, fix: "stop the other program"),
        ])
        add(
            [
                .notFound, .methodNotAllowed([.get]), .expiredInstall, .withdrawn(reason: ""),
                .withdrawn(reason: "It crashes."), .replaced, .notForDevice, .notSignedIn,
                .notAllowed, .forgedForm, .tooManyGuesses(wait: 3), .malformed("the form is cut"),
                .tooLarge(limit: 1), .badEnrolment(.notFlat), .cut, .overloaded,
                .noRoom("free space"), .unavailable("the store"),
            ] as [Refusal]
        )
        add(
            [
                .unusable(variable: "HTTPS_PROXY", .socks),
                .unreachable(proxy, reason: "it is off"),
                .untrusted(proxy, reason: "it has no name"),
                .refused(proxy, status: 403, baseURL), .refused(proxy, status: 407, baseURL),
                .refused(proxy, status: 502, baseURL), .tooSlow(proxy, baseURL),
                .cut(proxy, baseURL), .notUnderstood(proxy),
            ] as [ProxyFailure]
        )
        add(
            [
                .refused(BadParameter("after", fix: "give the last one").problem),
                .unreachable(baseURL, reason: "it is off"),
                .untrusted(baseURL, reason: "it has no name"), .misnamed(baseURL, names: []),
                .notUnderstood(baseURL, status: 200), .newer(baseURL, schema: 2), .tooSlow(baseURL),
                .cut(baseURL), .proxy(.notUnderstood(proxy)), .noToken, .malformedToken,
            ] as [ServerFailure]
        )
        add(
            [.characters, .scheme, .socks, .credentials, .path, .host, .port] as [ProxyServer.Flaw]
        )
        add(
            [
                .server(.cut(baseURL)), .unable(UploadAnswer(status: 503, body: "")), .outOfStep,
                .lost, .notOurs(status: 502), .notUnderstood("it has no state"), .noChecks,
            ] as [UploadFailure]
        )
        return all
    }
}
