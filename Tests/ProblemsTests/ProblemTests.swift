import ACME
import API
import APIDocuments
import Foundation
import HTTPServing
import HTTPTypes
import NIOHTTP1
@testable import OTAClient
@testable import OTACommands
import Pages
import Problems
import Publishing
import Inspection
import Releases
import SiteServices
import Store
import Testing

/// The command line, the API and the pages describe every error in the same way.
struct ProblemTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources")

    @Test func `every error of the sources is reportable with samples, or internal with a reason`()
        throws
    {
        let found = try ErrorSources(in: Self.sources).declarations
        #expect(found.count > 70)
        let samples = Dictionary(grouping: try ErrorSamples().all()) { Self.name(of: $0) }
        for error in found where error.isReportable && error.name != "Problem" {
            let labels = (samples[error.name] ?? []).map { Self.label(of: $0) }
            #expect(!labels.isEmpty, "\(error.name) has no sample in ErrorSamples")
            let missing = error.cases.subtracting(labels.compactMap(\.self))
            #expect(missing.isEmpty, "\(error.name) has no samples of \(missing.sorted())")
            let plain = labels.count { $0 == nil }
            #expect(plain >= error.plainCases, "\(error.name) lacks cases without values")
        }
        for error in found where !error.isReportable {
            #expect(
                ErrorSamples.internalErrors[error.name] != nil,
                "\(error.name) is neither a ReportableError nor known to be internal",
            )
        }
        let names = Set(found.filter { !$0.isReportable }.map(\.name))
        #expect(Set(ErrorSamples.internalErrors.keys) == names)
    }

    @Test func `what is wrong with a certificate is said without options of commands`() throws {
        let problems = try ErrorSamples().all().compactMap { $0 as? CertificateProblem }
        #expect(problems.count > 10)
        for problem in problems {
            #expect(!"\(problem) \(problem.fix)".contains("--"), "\(problem.id)")
        }
    }

    @Test func `command line, API and pages say the same identifier, message and fix`() throws {
        for error in try ErrorSamples().all() {
            let problem = error.problem
            let what: Comment = "\(Self.name(of: error)): \(error)"
            let printed = try JSONDecoder().decode(
                ErrorDocument.self,
                from: Data(Problem(error).text(json: true, style: .plain).utf8),
            ).error
            #expect(printed.id == problem.id && printed.message == problem.message, what)
            #expect(printed.place == problem.place && printed.fix == problem.fix, what)
            let shown = Problem(error).text(json: false, style: .plain)
            #expect(shown.hasPrefix("error: "), what)

            let document = ProblemDocument(error)
            #expect(document.id == problem.id && document.detail == problem.message, what)
            #expect(document.place == problem.place && document.fix == problem.fix, what)
            #expect(document.kind == problem.kind.rawValue, what)

            let page = PageProblem(problem)
            #expect(page.id == problem.id, what)
            #expect(page.message == Wording.sentence(problem.message), what)
            #expect(page.fix == problem.pageFix.map { Wording.sentence($0) }, what)
        }
    }

    @Test func `the kind of an error decides the status of HTTP and the exit status`() throws {
        for error in try ErrorSamples().all() {
            let document = ProblemDocument(error)
            let what: Comment = "\(Self.name(of: error)): \(error)"
            #expect(error.kind.exitStatus == 1, what)
            switch error {
            case let refused as RefusedRequest:
                #expect(document.status == Int(refused.status.code), what)
            case Refusal.methodNotAllowed: #expect(document.status == 405)
            case Refusal.cut: #expect(document.status == 499)
            default: #expect(document.status == error.kind.status.code, what)
            }
            #expect(!document.title.isEmpty && document.type == "about:blank", what)
        }
        let statuses = Problem.Kind.allCases.map(\.status.code)
        #expect(statuses.allSatisfy { (400..<600).contains($0) })
        #expect(
            statuses == [
                400, 401, 403, 404, 409, 410, 412, 413, 415, 422, 429, 503, 503, 507, 500,
            ]
        )
    }

    @Test func `every problem is named, and said in one clause`() throws {
        for error in try ErrorSamples().all() {
            let problem = error.problem
            let what: Comment = "\(Self.name(of: error)): \(problem)"
            #expect(problem.id.wholeMatch(of: /[a-z0-9-]+(\.[a-z0-9-]+)+/) != nil, what)
            #expect(!problem.message.isEmpty && !problem.message.contains("\n"), what)
            // The messages of findings are sentences.
            let isFinding = error is UnreadableArchive || error is PublishRefusal
            #expect(isFinding || !problem.message.hasSuffix(".") || error is Refusal, what)
            // Problems of the store, or of the server's own certificate, can be fixed only by commands.
            let isForCommands =
                error is StoreFailure || error is SystemFailure || error is Refusal
                || error is ACMEFailure
            for word in ["`ota ", " --", "/public/openapi.yaml"] where !isForCommands {
                #expect(problem.pageFix?.contains(word) != true, what)
            }
        }
    }

    @Test func `a client reads what a server says, and what earlier servers said`() throws {
        for error in try ErrorSamples().all() {
            let document = ProblemDocument(error)
            let body = try JSONEncoder().encode(document)
            let read = try #require(Problem(body: body, status: document.status))
            #expect(read.id == error.problem.id && read.kind == error.problem.kind)
            #expect(read.message == error.problem.message && read.fix == error.problem.fix)
        }
        let old = #"{"error": {"id": "app.unknown", "message": "no", "place": "", "fix": "look"}}"#
        let read = try #require(Problem(body: old.utf8, status: 404))
        #expect(read.id == "app.unknown" && read.kind == .notFound && read.fix == "look")
        #expect(Problem(body: "<html>".utf8, status: 502) == nil)
    }

    @Test func `errors of the system become one problem, and a server keeps them to itself`() {
        let error = CocoaError(.fileReadNoPermission, userInfo: [NSFilePathErrorKey: "/secret"])
        #expect(Problem(error).id == "system.failure" && Problem(error).place == "/secret")
        let document = ProblemDocument(error)
        #expect(document.id == "server.unavailable" && document.status == 503)
        #expect(!"\(document)".contains("secret"))
    }

    private static func name(of error: any ReportableError) -> String {
        "\(type(of: error))"
    }

    /// The name of an enumeration's case; nil for one without associated values.
    private static func label(of error: any ReportableError) -> String? {
        Mirror(reflecting: error).children.first?.label
    }
}
