import APIDocuments
import Administration
import Bytes
import Foundation
import Images
import Inspection
import OTAClient
import Releases
import Uploads

extension PublishedSymbolsEntry {
    fileprivate var json: JSONValue {
        func list(_ names: [String]) -> JSONValue { .list(names.map { .text($0) }) }
        return .object([
            "kept": list(kept), "added": list(added), "unmatched": list(unmatched),
            "missing": list(missing),
        ])
    }
}

/// The result of a publish on a server.
struct RemotePublishResult: CommandResult {
    private let answer: PublishDocument
    private let whole: JSONValue
    private let report: InspectionReport
    private let date: Date
    var showsCode = false
    var isDryRun = false
    /// The added dSYMs.
    var symbols: PublishedSymbolsEntry?

    init(_ answer: UploadAnswer, report: InspectionReport, date: Date) throws {
        let data = Data(answer.body.utf8)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let read = try? decoder.decode(PublishDocument.self, from: data),
            let whole = try? decoder.decode(JSONValue.self, from: data)
        else {
            throw UploadFailure.notUnderstood("it does not name the published release")
        }
        self.answer = read
        self.whole = whole
        self.report = report
        self.date = date
        findings =
            report.findings
            + read.findings.map(\.finding).filter { found in
                !report.findings.contains { $0.id == found.id && $0.place == found.place }
            }
    }

    var sha256: String { answer.sha256 }

    /// The server's document, with what this command has added.
    var document: JSONValue {
        guard let symbols, case .object(var members) = whole else { return whole }
        members["symbols"] = symbols.json
        return .object(members)
    }

    /// Findings of this command, and those that only the server can make, because it knows earlier builds.
    let findings: [Finding]

    private var remarks: [String] { (answer.remarks ?? []).map(\.printable) }

    var released: PublishedRelease {
        PublishedRelease(
            app: answer.app,
            name: report.identity.name,
            release: answer.release,
            channel: answer.channel,
            sha256: answer.sha256,
            tag: answer.tag,
            commit: answer.commit,
            url: answer.url,
            isCreated: answer.created,
            outlook: remarks + outlook(.plain),
        )
    }

    /// When the build expires, and how many of the known devices can install it.
    private func outlook(_ style: Style) -> [String] {
        let end = answer.channelEnds.map { Wording.end(of: answer.channel.printable, on: $0) }
        var outlook = [report.expiries.first?.sentence(at: date), end].compactMap(\.self)
        if answer.devices.registered > 0 {
            let command =
                isDryRun
                ? "`ota validate --all-devices`"
                : "`ota devices check \(answer.app) \(answer.release)`".printable
            let sentence = answer.devices.sentence(explainedBy: command)
            let isForAll = answer.devices.canInstall == answer.devices.registered
            outlook.append(isForAll ? sentence : style.warning(sentence))
        }
        return outlook
    }

    func text(style: Style) -> String {
        let text = FindingsText(style: style)
        var parts = [text.heading(report)]
        if !findings.isEmpty { parts.append(text.list(findings)) }
        parts.append(
            isDryRun
                ? headline(style) : headline(style) + "\n" + style.link(answer.url.printable)
        )
        parts += remarks.map { style.warning($0) }
        let outlook = outlook(style)
        if !outlook.isEmpty { parts.append(outlook.joined(separator: "\n")) }
        if showsCode, let code = try? QRCode(encoding: answer.url) {
            parts.append(code.terminal(ansi: style.isColoured))
        }
        return parts.joined(separator: "\n\n")
    }

    private func headline(_ style: Style) -> String {
        let name = "\(report.identity.name) \(answer.release)".printable
        let channel = answer.channel.printable
        if isDryRun {
            return answer.created
                ? "\(name) would be published on \(channel); nothing was stored."
                : "\(name) is already published; nothing was stored."
        }
        if answer.created { return style.good("Published") + " \(name) on \(channel)." }
        let offer = answer.offered == true ? ", now on \(channel)" : ""
        return "\(name) is already published\(offer)."
    }
}
