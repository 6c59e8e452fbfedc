import Bytes

/// The headers of a POSIX archive (IEEE 1003.1, "ustar Interchange Format" and "pax Interchange
/// Format"): 512 bytes per file, numbers in octal text.
enum Tar {
    static let blockSize = 512

    /// The header of a file, after a pax header if the path is long.
    static func header(path: String, size: Int) -> [UInt8] {
        guard path.utf8.count <= 100 else {
            let record = paxRecord("path", path)
            return block(path: "pax-header", size: record.count, type: UInt8(ascii: "x"))
                + padded(record) + block(path: "long-path", size: size, type: UInt8(ascii: "0"))
        }
        return block(path: path, size: size, type: UInt8(ascii: "0"))
    }

    /// The zero bytes that fill up the last block after `count` bytes.
    static func padding(after count: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockSize - count % blockSize) % blockSize)
    }

    /// The two zero blocks at the end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    private static func padded(_ bytes: [UInt8]) -> [UInt8] { bytes + padding(after: bytes.count) }

    private static func block(path: String, size: Int, type: UInt8) -> [UInt8] {
        var header = ByteWriter()
        header.append(field(Array(path.utf8), length: 100))
        header.append(octal(0o600, length: 8))
        header.append(octal(0, length: 8))
        header.append(octal(0, length: 8))
        header.append(number(size))
        header.append(octal(0, length: 12))
        // The checksum is computed with spaces in its own field.
        header.append([UInt8](repeating: UInt8(ascii: " "), count: 8))
        header.append([type])
        header.append([UInt8](repeating: 0, count: 100))
        header.append(Array("ustar\0".utf8) + Array("00".utf8))
        header.pad(to: blockSize)
        let sum = header.bytes.reduce(0) { $0 + Int($1) }
        header.overwrite(at: 148, with: octal(sum, length: 7) + [UInt8(ascii: " ")])
        return header.bytes
    }

    /// Octal below 8 GiB, otherwise base 256, as in GNU and BSD tar.
    private static func number(_ value: Int) -> [UInt8] {
        guard value >= 1 << 33 else { return octal(value, length: 12) }
        var bytes = ByteWriter()
        bytes.append([0x80, 0, 0, 0])
        bytes.bigEndian(UInt64(value))
        return bytes.bytes
    }

    private static func octal(_ value: Int, length: Int) -> [UInt8] {
        let digits = Array(String(value, radix: 8).utf8)
        let zeroes = [UInt8](
            repeating: UInt8(ascii: "0"),
            count: max(0, length - 1 - digits.count),
        )
        return zeroes + digits + [0]
    }

    private static func field(_ bytes: [UInt8], length: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: length - bytes.count)
    }

    /// Returns `LENGTH key=value\n`, where the length includes itself.
    private static func paxRecord(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while "\(length)".utf8.count + rest.utf8.count != length {
            length = "\(length)".utf8.count + rest.utf8.count
        }
        return Array("\(length)\(rest)".utf8)
    }
}
