import Access
import Addresses
import Administration
import Cryptography
import Enrolment
import GitRepositories
import Identifiers
@testable import Inspection
import Jobs
import Mirrors
@testable import Notices
import OpenID
@testable import Pages
import Problems
import PropertyLists
import Provenance
import Publishing
import ReleaseSigning
@testable import Releases
import S3
import Sandboxing
import Signing
import Store
import StoreFixtures
import Symbolication
import Symbols
import Testing
import Uploads
import Versions

/// Values of the errors of registers, the store and actions.
extension ErrorSamples {
    func product() throws -> [any ReportableError] {
        var all: [any ReportableError] = []
        func add(_ errors: [any ReportableError]) { all += errors }
        let slots = DeviceSlots(team: nil, family: .iphone, used: 100, limit: 100, resets: date)
        let report = try StoredRelease().report
        let key = PublicKey(of: try PrivateKey.generate(.p256)).fingerprint
        let address = try #require(InternetAddress(v4: "10.0.0.1"))
        add(
            [
                .otherBytes(release, there: digest), .withdrawn(release), .unknownApp("x"),
                .unknownRelease(release), .unknownChannel(.stable), .lastingChannel(.stable),
                .lastingChannel(try #require(ChannelName("beta"))),
                .endedChannel(.stable, date), .closedChannel(.stable),
                .archivedApp(try #require(Slug("browsey"))),
            ] as [ReleaseRefusal]
        )
        add(
            [
                .system(SystemFailure("write", "/a", code: 5)), .conflict(document),
                .elsewhere(S3Failure.noBucket("a").problem),
                .locked(path: "/a", seconds: 1), .alreadyServed(path: "/a"), .leaseLost,
                .unreadable(path: "/a", offset: 1, reason: "it is no JSON"),
                .newerSchema(path: "/a", found: 2, known: 1), .missing(path: "/a"),
                .lost(document), .gone(path: "/a"), .unfinishedRestore(path: "/a"),
                .unfinishedCopy(path: "/a", source: "/b"), .otherCopy(path: "/a", source: nil),
                .noEarlierGeneration(document), .nothingUndone(document), .present(document),
                .notAStore(path: "/a"),
                .unusableName(".."), .missingBlob(digest), .damagedBlob(digest, path: "/a"),
                .badBackup(path: "/a", reason: "it ends early"), .notEmpty(path: "/a"),
                .insideSource(path: "/a/b"),
            ] as [StoreFailure]
        )
        let job = JobIdentifier(at: date, random: { [UInt8](repeating: 1, count: $0) })
        let group = try #require(GroupName("qa"))
        add(
            [
                .unknown("x"), .exists(group), .tooMany(1), .tooManyOfDevice(1),
                .tooManyChannels(1),
                .inUse(group, apps: ["a", "b", "c", "d", "e", "f"]), .ofSignIn(group),
                .outsideApp("a", [group]),
            ] as [GroupRefusal]
        )
        add(
            [
                .unknown("x"), .notShown("x"), .isOver(job, .done), .notRetried(job, .running),
                .notRetried(job, .done), .queueFull(1), .shareTaken(50),
                .cancelled(by: "ada"),
            ] as [JobRefusal]
        )
        add(
            [
                .withdrawn(release), .noTeam(app: "x"), .otherTeam("x"), .manual(app: "x"),
                .noApp("x"),
                .noIdentity(team: "x"),
                .noProfile(bundles: ["x"], team: "y", isMadeHere: false),
                .noProfile(bundles: ["x", "z"], team: "y", isMadeHere: false),
                .noProfile(bundles: ["x"], team: "y", isMadeHere: true),
                .profileUnusable(.profileExpired("P", on: date), bundle: "x", file: "profile 1"),
                .originalPruned(release), .noRoom(2, free: 1, reserve: 1),
                .otherBuild(found: "x", expected: "y"), .blocked(report), .noFolder, .noSigner,
            ] as [ReleaseSigningRefusal]
        )
        let team = try #require(TeamIdentifier("ABCDE12345"))
        add(
            [
                .unknown("x"), .exists(team), .badName(" "), .inUse(team, by: [slug]),
                .otherIdentity("A", of: nil, expected: team),
                .otherProfile("P", of: "OTHERTEAM9", expected: team),
                .expiredProfile("P", on: date), .appStoreProfile("P"),
                .certificateMissing("A", profile: "P"), .noApplicationIdentifier(profile: "P"),
                .unknownProfile("x", of: team), .tooManyProfiles(limit: 1), .noKeyFile,
                .otherKey(secret: "identity", sealedWith: "a", given: "b"), .noTeamForSigning,
            ] as [TeamRefusal]
        )
        add(
            [
                .missing("/a"), .noFolder("/a/b"), .insideStore("/a"), .readableByOthers("/a"),
                .notAKey("/a"),
                .system(SystemFailure("read", "/a", code: 5)),
            ] as [KeyFileRefusal]
        )
        add(
            [
                .badName(" "), .nameTaken("ci"), .noScope, .endsInThePast(date), .tooMany(1),
                .unknown, .expired(name: "ci", on: date), .revoked(name: "ci"),
            ] as [TokenRefusal]
        )
        add(SignInRefusal.Reason.allCases.map { SignInRefusal($0, "detail") })
        add(
            [
                .badIssuer("x"), .badClient, .badSecret, .badName(" "), .badScope("a b"),
                .badClaim(" "), .noClaim, .badPerson("ana"), .badValue(" "), .adminOfOneApp,
                .badSubject, .noRole, .badTester("x"), .badTesterSubject, .tooManyTesters(1),
                .tooManyRoles(1), .badLinkName("a b"), .unknownSession("x"),
            ] as [SettingsRefusal]
        )
        add(
            [
                .alreadyThere(name: "a"), .unknown, .badName(" "), .badModel("x"),
                .noSlotLeft(slots), .tooManyPending(limit: 1), .notApproved(name: "a"),
                .alreadyInTeam(name: "a", team: "t"), .notInTeam(name: "a", team: "t"),
            ] as [DeviceRefusal]
        )
        add(
            [
                .tooLarge(limit: 1), .malformed(.notSignedData), .forged(.signatureInvalid),
                .unreadable(MalformedPropertyList(.cycle)), .notFlat, .missing(.udid),
                .invalid(.product), .wrongChallenge, .expiredChallenge(date),
            ] as [EnrolmentRefusal]
        )
        add(
            [
                .unknown, .expired(date), .revoked, .used, .usedByThisDevice, .wrongCode,
                .tooManyAttempts(wait: 61), .tooManyOpen(limit: 1), .badName(" "),
                .badValidity(900...7_776_000), .full, .badPlaces(1...500), .tooManyPlaces(limit: 1),
                .tooManyGroups(limit: 1),
            ] as [InvitationRefusal]
        )
        add(
            [
                .blocked(report), .unnamed(key: "CFBundleVersion"), .notesTooLong(70_000),
                .badTag(.empty), .otherVersion("1.0", expected: "1.1", tag: "v1.1"),
            ] as [PublishRefusal]
        )
        add(
            [
                .none, .unreadable("it is no JSON"), .badSignature,
                .otherKey(
                    nil,
                    expected: key,
                ),
                .otherBytes(stated: "00", found: digest),
                .otherRecord("version", stated: "1", found: "2"),
            ] as [ProvenanceRefusal]
        )
        add(
            [
                .tooLong, .notPlain, .scheme, .fragment, .credentials, .host, .numericHost, .port,
                .mailAddress, .otherKind,
            ] as [MalformedWebhookURL]
        )
        add(
            [
                .malformed(.scheme), .notSecure("http://a.example"),
                .address(address, .near("in a private network")),
                .address(address, .never("reserved")), .alreadyThere("https://a.example"),
                .tooMany(1), .unknown("0"), .noEvent, .badSecret, .paused("0"),
                .badBody("x"), .needlessBody, .needlessSecret, .neverSent([.slotsLow]),
            ] as [WebhookRefusal]
        )
        add(
            [
                .malformed("size", "is not a number"),
                .notAllowed(token: "ci", app: "a", scopes: "read"),
                .lengthRequired, .tooLarge(2, limit: 1), .tooMany(1, ofToken: true),
                .quotaExceeded(1, used: 1, quota: 1),
                .noRoom(1, free: 1, reserve: 1, promised: 0),
                .noRoom(1, free: 1, reserve: 1, promised: 1), .unknown,
                .wrongOffset(expected: 1, given: 0), .wrongLength("the body is too long"),
                .takenOver, .isComplete, .notChecked,
                .wrongDigest(expected: digest, found: digest),
                .otherBuild(said: "a", found: "b"), .unpublishable(attempts: 2), .cut(at: 1),
            ] as [UploadRefusal]
        )
        add(
            [
                .unknownApp("x", known: [slug]), .unknownRelease("9", of: slug),
                .ambiguousRelease("1", builds: [release]), .unknownDevice, .unknownProfile("x"),
                .unknownChannel("x", of: slug), .nothingOffered(app: "browsey"), .badScope("root"),
                .noAppForScope("x", action: "publish"), .badTitle(" "), .badReason, .noPassphrase,
                .badRenewalDays(0), .badRules, .unknownFeedback(slug),
                .appExists(slug), .needlessPassphrase(.open),
                .notesTooLong(2, limit: 1), .noBaseURL, .noClientSecret,
                .changedMeanwhile("the app"),
            ] as [AdministrationRefusal]
        )
        add(
            [
                .none("a"), .notSymbols("a", reason: "it has no LC_UUID"),
                .tooLarge("a", limit: 1),
                .tooMany(limit: 1), .unreadable("a", reason: "denied"), .unmatched(["a"]),
                .unknown, .replaced, .noPrograms, .tooManyAtOnce(limit: 1), .tooSlow(rate: 1),
            ] as [SymbolRefusal]
        )
        add(
            [
                .tooLarge(limit: 1), .unknown(reason: "it is empty"), .tooMany("images", limit: 1),
            ] as [CrashReportRefusal]
        )
        add(
            [
                .notInstalled, .ended("took too long and was killed"), .unreadableAnswer,
                .noFolder("denied"), .busy,
            ] as [SymbolizerFailure]
        )
        add(
            [
                SystemFailure("write", "/a", code: 1), SystemFailure("write", "/a", code: 2),
                SystemFailure("write", "/a", code: 5), SystemFailure("write", "/a", code: 24),
                SystemFailure("write", "/a", code: 28), SystemFailure("write", "/a", code: 30),
                SystemFailure("write", "/a", code: 122),
            ] as [SystemFailure]
        )
        add([
            SlugRefusal.taken(slug), MalformedDeviceFile(line: 1, reason: .noName),
            MalformedBaseURL(text: "http://a", reason: .notHTTPS), NoAssets(folder: "/a"),
            BrokenTemplate(name: "Page", reason: "a section is open"),
            BrokenCatalogue(file: "languages/de.json", reason: "it is no object"),
            BadParameter("after", fix: "give the last one"),
        ])
        add([.tooShort, .tooLong, .noMemory] as [PassphraseRefusal])
        return all
    }
}
