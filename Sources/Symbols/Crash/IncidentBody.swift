import Essentials
import Identifiers

/// The second JSON document of an `.ips` file, with the fields that are used.
struct IncidentBody: Decodable {
    let images: [IncidentImage]?
    let threads: [IncidentThread]?
    private let exceptionFrames: [IncidentFrame]?
    private let faulting: Int?
    private let processName, processPath, model, capture: String?
    private let processID: Int?
    private let bundle: [String: String]?
    private let os: OSVersion?
    private let exception: Exception?
    private let termination: Termination?
    private let messages: [String: [String]]?

    private enum Key: String, CodingKey {
        case usedImages, threads, lastExceptionBacktrace, faultingThread, procName, procPath, pid
        case modelCode, captureTime, bundleInfo, osVersion, exception, termination, asi
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        images = fields.maybe([IncidentImage].self, .usedImages)
        threads = fields.maybe([IncidentThread].self, .threads)
        exceptionFrames = fields.maybe([IncidentFrame].self, .lastExceptionBacktrace)
        faulting = fields.maybe(Int.self, .faultingThread)
        processName = fields.text(.procName)
        processPath = fields.text(.procPath)
        processID = fields.maybe(Int.self, .pid)
        model = fields.text(.modelCode)
        capture = fields.text(.captureTime)
        bundle = fields.maybe([String: String].self, .bundleInfo)
        os = fields.maybe(OSVersion.self, .osVersion)
        exception = fields.maybe(Exception.self, .exception)
        termination = fields.maybe(Termination.self, .termination)
        messages = fields.maybe([String: [String]].self, .asi)
    }

    private struct OSVersion: Decodable {
        let train, build: String?
    }

    private struct Exception: Decodable {
        let type, signal, subtype, codes, message: String?
    }

    private struct Termination: Decodable {
        let namespace, indicator, byProc: String?
        let code: Int?
        let reasons: [String]?
    }

    func report(_ head: IncidentHead) throws(CrashReportRefusal) -> CrashReport {
        guard (images?.count ?? 0) <= SymbolLimits.images else {
            throw .tooMany("images", limit: SymbolLimits.images)
        }
        guard (threads?.count ?? 0) <= SymbolLimits.threads else {
            throw .tooMany("threads", limit: SymbolLimits.threads)
        }
        let stacks = [exceptionFrames ?? []] + (threads ?? []).map { $0.frames ?? [] }
        guard stacks.reduce(0, { $0 + $1.count }) <= SymbolLimits.frames else {
            throw .tooMany("frames", limit: SymbolLimits.frames)
        }
        var report = CrashReport()
        report.images = (images ?? []).map(\.image)
        let images = report.images
        report.exceptionFrames = (exceptionFrames ?? []).map { $0.frame(in: images) }
        report.threads = (threads ?? []).enumerated().map { number, thread in
            CrashReport.Thread(
                number: number,
                title: thread.title,
                isCrashed: thread.isTriggered ?? (number == faulting),
                frames: (thread.frames ?? []).map { $0.frame(in: images) },
            )
        }
        report.facts = facts(head, report)
        report.notes = notes
        return report
    }

    private func facts(_ head: IncidentHead, _ report: CrashReport) -> [CrashReport.Fact] {
        let name = processName ?? head.appName
        let version = bundle?["CFBundleShortVersionString"] ?? head.appVersion
        let build = bundle?["CFBundleVersion"] ?? head.buildVersion
        let system = [os?.train, os?.build.map { "(\($0))" }].compactMap(\.self)
        let kind = [exception?.type, exception?.signal.map { "(\($0))" }].compactMap(\.self)
        let subtype = [exception?.subtype, exception?.message].compactMap(\.self)
        let ended = [
            termination?.namespace, termination?.code.map { "\($0)" }, termination?.indicator,
        ]
        let lines: [(String, String?)] = [
            ("Incident Identifier", head.incident),
            ("Hardware Model", model),
            ("Process", name.map { name in processID.map { "\(name) [\($0)]" } ?? name }),
            ("Path", processPath),
            ("Identifier", bundle?["CFBundleIdentifier"] ?? head.bundleID),
            ("Version", version.map { version in build.map { "\(version) (\($0))" } ?? version }),
            ("Date/Time", capture ?? head.timestamp),
            ("OS Version", system.isEmpty ? head.osVersion : system.joined(separator: " ")),
            ("Exception Type", kind.isEmpty ? nil : kind.joined(separator: " ")),
            ("Exception Subtype", subtype.isEmpty ? nil : subtype.joined(separator: ", ")),
            ("Exception Codes", exception?.codes),
            (
                "Termination Reason",
                termination == nil ? nil : ended.compactMap(\.self).joined(separator: " "),
            ),
            ("Terminating Process", termination?.byProc),
            ("Triggered by Thread", report.crashedThread.map { "\($0.number)" }),
        ]
        return lines.compactMap { label, value in
            value.map { CrashReport.Fact(label: label, value: CrashLine.plain($0)) }
        }
    }

    private var notes: [String] {
        let said = (messages ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
        return (said + (termination?.reasons ?? [])).prefix(50).map { CrashLine.plain($0) }
    }
}

struct IncidentImage: Decodable {
    let image: CrashReport.Image

    private enum Key: String, CodingKey {
        case uuid, name, path, arch, base, size, CFBundleShortVersionString
    }

    init(from decoder: any Decoder) throws {
        let fields = try? decoder.container(keyedBy: Key.self)
        let path = fields?.text(.path) ?? ""
        let name = fields?.text(.name) ?? path.split(separator: "/").last.map(String.init) ?? "???"
        image = CrashReport.Image(
            uuid: fields?.maybe(String.self, .uuid).flatMap { ImageUUID($0) },
            name: name,
            path: path,
            architecture: fields?.text(.arch) ?? "",
            base: fields?.maybe(UInt64.self, .base) ?? 0,
            size: fields?.maybe(UInt64.self, .size) ?? 0,
            version: fields?.text(.CFBundleShortVersionString),
        )
    }
}

struct IncidentThread: Decodable {
    let frames: [IncidentFrame]?
    let isTriggered: Bool?
    let title: String

    private enum Key: String, CodingKey {
        case frames, triggered, name, queue
    }

    init(from decoder: any Decoder) throws {
        let fields = try? decoder.container(keyedBy: Key.self)
        frames = fields?.maybe([IncidentFrame].self, .frames)
        isTriggered = fields?.maybe(Bool.self, .triggered)
        let queue = fields?.text(.queue).map { "Dispatch queue: \($0)" }
        title = [fields?.text(.name), queue].compactMap(\.self).joined(separator: " ")
    }
}

struct IncidentFrame: Decodable {
    private let imageIndex: Int?
    private let imageOffset: UInt64?
    private let symbol, sourceFile: String?
    private let symbolLocation, sourceLine: Int?

    private enum Key: String, CodingKey {
        case imageIndex, imageOffset, symbol, symbolLocation, sourceFile, sourceLine
    }

    init(from decoder: any Decoder) throws {
        let fields = try? decoder.container(keyedBy: Key.self)
        imageIndex = fields?.maybe(Int.self, .imageIndex)
        imageOffset = fields?.maybe(UInt64.self, .imageOffset)
        symbol = fields?.text(.symbol)
        symbolLocation = fields?.maybe(Int.self, .symbolLocation)
        sourceFile = fields?.text(.sourceFile)
        sourceLine = fields?.maybe(Int.self, .sourceLine)
    }

    func frame(in images: [CrashReport.Image]) -> CrashReport.Frame {
        let index = imageIndex.flatMap { images.indices.contains($0) ? $0 : nil }
        let offset = imageOffset ?? 0
        let sum = (index.map { images[$0].base } ?? 0).addingReportingOverflow(offset)
        var name = symbol
        if let known = name {
            if let sourceFile, let sourceLine {
                name = "\(known) (\(sourceFile):\(sourceLine))"
            } else if let symbolLocation {
                name = "\(known) + \(symbolLocation)"
            }
        }
        return CrashReport.Frame(
            image: index,
            offset: offset,
            address: sum.overflow ? nil : sum.partialValue,
            symbol: name,
        )
    }
}
