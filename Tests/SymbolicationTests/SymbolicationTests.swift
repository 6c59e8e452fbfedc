import Bytes
import Foundation
import Identifiers
import Releases
@testable import Symbolication
import Symbols
import TestSupport
import Testing

/// Addresses of a program compiled for iOS, looked up by LLVM.
@Suite(.timeLimit(.minutes(5)))
struct SymbolicationTests {
    private static func bundle() throws -> SymbolBundle {
        let file = SingleSymbolFile(MemorySource(try SampleSymbols.file()), named: "Shop")
        return try #require(try SymbolSearch.bundles(in: file, of: "here").first)
    }

    private static func names(
        of text: String,
        by symbolizer: LLVMSymbolizer? = nil,
    ) async throws -> SymbolicatedReport {
        let bundle = try bundle()
        let report = try CrashReport(reading: Array(text.utf8))
        return try await withTemporaryFolder { folder in
            let result = try await CrashSymbolication(
                by: symbolizer ?? LLVMSymbolizer.installed(in: nil),
                in: folder.path(),
            ).names(of: report) { uuid in
                bundle.images.contains { $0.uuid == uuid } ? bundle : nil
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            #expect(left.isEmpty, "nothing is left of the work")
            return result
        }
    }

    private static func uuid() throws -> String {
        "\(try #require(try bundle().images.first).uuid)"
    }

    @Test func `every address resolves to its line, through functions that were inlined`()
        async throws
    {
        let result = try await Self.names(of: SampleSymbols.report(uuid: Self.uuid()))
        let crashed = try #require(result.report.crashedThread)
        let top = result.names(of: crashed.frames[0], at: 0)
        #expect(top.map(\.function) == ["first", "load"])
        #expect(top.map(\.place) == ["loader.c:4", "loader.c:9"])
        #expect(top.map(\.isInlined) == [true, false])
        let caller = result.names(of: crashed.frames[1], at: 1)
        #expect(caller.map(\.place) == ["loader.c:14"] && caller[0].function == "main")
        let swift = result.names(of: result.report.threads[1].frames[0], at: 0)
        #expect(swift.map(\.function) == ["Basket.take", "Basket.total"])
        #expect(swift.map(\.file) == ["/build/Shop/Basket.swift", "/build/Shop/Basket.swift"])
        #expect(swift.map(\.line) == [6, 11])
        #expect(result.standings == [0: .named("Shop.dSYM"), 1: .ofSystem])
        #expect(result.count == (3, 3))
        let lines = result.text.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("0x0000000104a88010 first (loader.c:4) [inlined]") })
        #expect(lines.contains { $0.hasSuffix("UIKitCore  0x0000000180001000 0x180000000 + 4096") })
        #expect(lines.contains { $0.hasSuffix("start + 2104") })
        #expect(result.text.contains("System frames (UIKit and others) show only"))
    }

    @Test func `a build without its dSYM keeps its places, and says what is missing`() async throws
    {
        let other = "00000000-0000-3000-8000-000000000001"
        let result = try await Self.names(of: SampleSymbols.report(uuid: other))
        #expect(result.count == (0, 3) && result.standings[0] == .missing)
        #expect(result.text.contains("<\(other)> no matching dSYM"))
        #expect(result.text.contains("0x104a84000 + 16400"))
    }

    @Test func `offsets beyond the symbols have no name and do no harm`() async throws {
        let uuid = try Self.uuid()
        let huge = [UInt64.max, UInt64.max - 1, 1 << 63, 0, 65_535].map {
            "{\"imageIndex\": 0, \"imageOffset\": \($0)}"
        }
        let text = """
            {}
            {"threads": [{"frames": [\(huge.joined(separator: ","))]}],
             "usedImages": [{"uuid": "\(uuid)", "base": 4294967296, "size": 65536, "name": "Shop"}]}
            """
        let result = try await Self.names(of: text)
        #expect(result.count.named == 0 && result.standings[0] == .named("Shop.dSYM"))
    }

    @Test(arguments: ["hang", "flood", "fail", "lie"])
    func `a symbolizer that misbehaves costs its time and no more`(how: String) async throws {
        try await withTemporaryFolder { folder in
            let program = folder.appending(path: "llvm-symbolizer")
            let script =
                switch how {
                case "hang": "exec sleep 600"
                case "flood": "exec cat /dev/zero"
                case "fail": "echo trouble >&2; exit 3"
                default: "echo \u{27}{\"Address\": 1}\u{27}"
                }
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: program.path(),
            )
            var symbolizer = LLVMSymbolizer(program: program.path())
            symbolizer.time = .milliseconds(300)
            let start = ContinuousClock.now
            let text = SampleSymbols.report(uuid: try Self.uuid())
            let result = try await Self.names(of: text, by: symbolizer)
            #expect(ContinuousClock.now - start < .seconds(30))
            guard case .failed(let reason) = result.standings[0] else {
                Issue.record("\(how) is believed")
                return
            }
            #expect(reason.hasPrefix("llvm-symbolizer "), "\(reason)")
            #expect(result.count.named == 0)
        }
    }

    @Test func `a lookup that no one waits for any more ends its program`() async throws {
        try await withTemporaryFolder { folder in
            let program = folder.appending(path: "llvm-symbolizer")
            let mark = folder.appending(path: "begun").path()
            try Data("#!/bin/sh\ntouch \(mark)\nexec sleep 600\n".utf8).write(to: program)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: program.path(),
            )
            let text = SampleSymbols.report(uuid: try Self.uuid())
            let begun = ContinuousClock.now
            let lookup = Task {
                try await Self.names(of: text, by: LLVMSymbolizer(program: program.path()))
            }
            try await Task.sleep(for: .milliseconds(300))
            lookup.cancel()
            await #expect(throws: CancellationError.self) { try await lookup.value }
            #expect(ContinuousClock.now - begun < .seconds(30))
        }
    }

    @Test func `a report that would be too long says where it was cut`() throws {
        let frame = #"{"imageIndex": 0, "imageOffset": 64}"#
        let stack = "[" + repeatElement(frame, count: 400).joined(separator: ",") + "]"
        let text = """
            {}
            {"threads": [{"frames": \(stack)}, {"triggered": true, "frames": [\(frame)]}],
             "usedImages": [{"base": 4294967296, "size": 65536, "name": "Shop"}]}
            """
        var result = SymbolicatedReport(try CrashReport(reading: Array(text.utf8)))
        let long = SourceFrame(
            function: repeatElement("f", count: 5000).joined(),
            file: nil,
            line: nil,
            isInlined: true,
        )
        for offset: UInt64 in [63, 64] {
            result.names[.init(image: 0, offset: offset)] = Array(repeatElement(long, count: 90))
        }
        let shown = result.text
        // As bytes: in a debug build, Foundation takes more than a minute to search 10 MB as text.
        let bytes = Data(shown.utf8)
        #expect(bytes.count < 10 << 20)
        #expect(bytes.range(of: Data("more frames are not shown: too long".utf8)) != nil)
        #expect(bytes.range(of: Data("fff…".utf8)) != nil)
        #expect(bytes.range(of: Data(long.function.utf8)) == nil)
        // The crashed thread comes first, wherever it is in the report.
        #expect(result.extent.threads[1] == 1)
        #expect((1..<400).contains(result.extent.threads[0]))
    }

    @Test func `a program that is missing is named with what to install`() {
        #expect(throws: SymbolizerFailure.notInstalled) {
            try LLVMSymbolizer.installed(in: "/nowhere", usually: ["/nowhere/else"])
        }
    }

    @Test(arguments: [
        ("$s4Shop6BasketV5totalyBi64_BpF", "total", "Basket.total"),
        ("$s4Shop6BasketV4ItemC4nameSSvg", "name.get", "Basket.Item.name.get"),
        ("$s4Shop10openBasket_2atBi64_AA0C0V_BptF", "openBasket", "openBasket"),
        ("$s4Shop6BasketV5totalyyFyycfU_", "closure #1 in total", "closure #1 in total"),
        ("$s4Shop9999BasketV", "total", "total"), ("$s", "total", "total"),
        ("$s4Shop0V", "total", "total"), ("load", "load", "load"),
        ("Shop::Basket::total(int)", "total", "Shop::Basket::total(int)"),
        ("$s4Shop6BasketV5totalyF", "", "$s4Shop6BasketV5totalyF"),
    ])
    func `Swift names are short and stand behind their types`(
        name: String,
        short: String,
        readable: String,
    ) {
        #expect(SwiftName.readable(name, short: short) == readable)
    }
}
