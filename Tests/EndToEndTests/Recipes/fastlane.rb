# Runs a lane as fastlane does, as far as the recipe needs it: in real Ruby, with real shells.
# Usage: ruby fastlane.rb FASTFILE PLATFORM LANE [NAME:VALUE…], in the folder of the project.
require "fileutils"
require "open3"

module SharedValues
  IPA_OUTPUT_PATH = :IPA_OUTPUT_PATH
end

module UI
  def self.user_error!(message) = abort("[!] #{message}")
  def self.success(message) = puts(message)
end

class Fastfile
  def initialize(path)
    @lanes = {}
    instance_eval(File.read(path), path)
  end

  def run(platform, lane, options)
    Dir.chdir("fastlane") { instance_exec(options, &@lanes.fetch([platform, lane])) }
  end

  def default_platform(_name) = nil
  def desc(_text) = nil
  def lane_context = { SharedValues::IPA_OUTPUT_PATH => ENV["GYM_MADE"] }

  def platform(name)
    @platform = name
    yield
  end

  def lane(name, &body)
    @lanes[[@platform, name]] = body
  end

  # gym: archives and exports, in the folder of the project.
  def build_app(scheme:, destination:, xcargs:, export_options:, output_directory:, output_name:)
    Dir.chdir("..") do
      sh("xcodebuild -scheme #{scheme} -destination '#{destination}' " \
        "-archivePath gym/#{scheme}.xcarchive #{xcargs} archive")
      sh("xcodebuild -exportArchive -exportOptionsPlist #{export_options} " \
        "-archivePath gym/#{scheme}.xcarchive -exportPath gym")
      FileUtils.mkdir_p(output_directory)
      FileUtils.mv("gym/#{scheme}.ipa", File.join(output_directory, output_name))
    end
  end

  # Prints output as it arrives, and ends the lane if the command fails.
  def sh(*command)
    Open3.popen2e(*command) do |input, output, process|
      input.close
      said = output.each_line.map { |line| puts line; line }.join
      status = process.value.exitstatus
      abort("[!] Exit status of command was #{status} instead of 0.") unless status.zero?
      said
    end
  end
end

file, platform, lane, *words = ARGV
options = words.to_h { |word| word.split(":", 2) }.transform_keys(&:to_sym)
Fastfile.new(File.expand_path(file)).run(platform.to_sym, lane.to_sym, options)
