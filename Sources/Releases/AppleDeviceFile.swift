import Bundles
import Bytes
package import Identifiers
package import Problems

/// The tab-separated device list that Apple's developer site imports and exports.
///
/// It has the header `Device ID`, `Device Name`, `Device Platform`, tabs as separators, and an optional
/// third column (`ios` or `mac`). Source: the sample file on the "Register multiple devices" page.
package enum AppleDeviceFile {
    package struct Row: Equatable, Sendable {
        package let udid: DeviceUDID
        package let name: String
        /// Nil if the column is missing.
        package let platform: String?
    }

    private static let header = "Device ID\tDevice Name\tDevice Platform"

    /// Parses such a file; blank lines and lines that start with `#` are skipped.
    ///
    /// - Throws: ``MalformedDeviceFile`` with the line number, from 1.
    package static func read(_ text: String) throws(MalformedDeviceFile) -> [Row] {
        var rows: [Row] = []
        var seen: [DeviceUDID: Int] = [:]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (number, line) in zip(1..., lines) {
            let line = line.hasPrefix("\u{FEFF}") ? line.dropFirst() : line
            guard line.contains(where: { !$0.isWhitespace }), !line.hasPrefix("#") else { continue }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map { trim($0) }
            if columns.first == "Device ID" || columns.first == "deviceIdentifier" { continue }
            let row = try row(columns, line: number)
            if let first = seen[row.udid] {
                throw MalformedDeviceFile(line: number, reason: .repeated(firstLine: first))
            }
            seen[row.udid] = number
            rows.append(row)
        }
        return rows
    }

    /// Returns the file for the given devices, with names made safe for spreadsheets.
    package static func write(_ devices: [Device]) -> String {
        var lines = [header]
        for device in devices {
            let platform = device.family == .mac ? "mac" : "ios"
            lines.append("\(device.udid)\t\(spreadsheetSafe(device.name))\t\(platform)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(
        _ columns: [String],
        line: Int,
    ) throws(MalformedDeviceFile) -> Row {
        guard (2...3).contains(columns.count) else {
            throw MalformedDeviceFile(line: line, reason: .columns(columns.count))
        }
        guard let udid = DeviceUDID(columns[0]) else {
            throw MalformedDeviceFile(line: line, reason: .identifier)
        }
        guard !columns[1].isEmpty else {
            throw MalformedDeviceFile(line: line, reason: .noName)
        }
        let platform = columns.count == 3 && !columns[2].isEmpty ? columns[2].lowercased() : nil
        guard platform == nil || platform == "ios" || platform == "mac" else {
            throw MalformedDeviceFile(line: line, reason: .platform(columns[2]))
        }
        return Row(udid: udid, name: columns[1], platform: platform)
    }

    /// Escapes a name that a spreadsheet would run as a formula.
    private static func spreadsheetSafe(_ name: String) -> String {
        let name = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        guard let first = name.unicodeScalars.first, formulaStarts.contains(first) else {
            return name
        }
        return "'" + name.prefix(DeviceRegister.nameLimit - 1)
    }

    /// Includes the full-width forms, which East Asian spreadsheets treat like the ASCII ones.
    private static let formulaStarts: [Unicode.Scalar] = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

    private static func trim(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// A device list has a line that cannot be parsed.
package struct MalformedDeviceFile: ReportableError, Equatable {
    package enum Reason: Equatable, Sendable {
        case columns(Int)
        case identifier
        case noName
        case platform(String)
        case repeated(firstLine: Int)
    }

    package let line: Int
    package let reason: Reason

    package var description: String {
        let what =
            switch reason {
            case .columns(let count):
                "has \(Wording.count(count, "column")) instead of two or three separated by tabs"
            case .identifier:
                "does not begin with a device identifier"
            case .noName:
                "has no device name"
            case .platform(let platform):
                "has the platform \(quoted: platform.prefix(20)) instead of ios or mac"
            case .repeated(let firstLine):
                "repeats the device of line \(firstLine)"
            }
        return "line \(line) \(what)"
    }
}

extension MalformedDeviceFile {
    package var id: String { "devices.malformed-list" }
    package var kind: Problem.Kind { .invalid }
    package var fix: String { "export the list again, with tabs between the columns" }
}
