// Runs a declarative pipeline as Jenkins does, as far as the recipe needs it: in real Groovy, with real
// shells and a real checkout. Usage: groovy jenkins.groovy JENKINSFILE WORKSPACE REMOTE REPORT
//
// Credentials are files in JENKINS_CREDENTIALS_FOLDER; the report is what Jenkins would show of the build.
// BRANCH_NAME and TAG_NAME say what is built. JENKINS_MAC_PATH is the PATH of the agent on a Mac; without it,
// the results of its stages already exist.
import groovy.json.JsonOutput
import org.codehaus.groovy.control.CompilerConfiguration

class Failed extends Exception {
    Failed(String message) { super(message) }
}

abstract class Pipeline extends Script {
    static final Map variables = [:] + System.getenv()
    static final Map report = [result: 'SUCCESS', stages: [], junit: [], artifacts: []]
    static File workspace
    static String remote
    List conditions = []
    Map stage = [:]
    Map currentBuild = [:]

    def pipeline(Closure body) { body() }
    def agent(Closure body) { body() }
    def agent(Object nothing) {}
    def getNone() { 'none' }
    def label(String name) { stage.label = name }
    def options(Closure body) { body() }
    def skipDefaultCheckout() {}
    def disableConcurrentBuilds() {}
    def timeout(Map limit) { assert limit.time > 0 }
    def stages(Closure body) { body() }

    def environment(Closure body) {
        def values = [:]
        body.delegate = values
        body.resolveStrategy = Closure.DELEGATE_FIRST
        if (stage.name) { stage.environment = { body(); values } } else { body(); variables.putAll(values) }
    }

    def credentials(String name) {
        new File(variables.JENKINS_CREDENTIALS_FOLDER, name).text
    }

    def stage(String name, Closure body) {
        stage = [name: name]
        body()
        def current = stage
        stage = [:]
        if (current.when && !current.when()) { return }
        if (report.result != 'SUCCESS') { return }
        def isOnMac = current.label == 'mac'
        if (isOnMac && !variables.JENKINS_MAC_PATH) { return }
        def (oldPath, oldWorkspace) = [variables.PATH, workspace]
        if (isOnMac) {
            variables.PATH = variables.JENKINS_MAC_PATH
            workspace = new File(workspace.path + '-mac')
            workspace.mkdirs()
        }
        report.stages << name
        if (current.environment) { variables.putAll(current.environment()) }
        try {
            current.steps()
        } catch (Failed failure) {
            report.result = 'FAILURE'
            println "ERROR: ${failure.message}"
        }
        current.post?.call()
        variables.PATH = oldPath
        workspace = oldWorkspace
    }

    def when(Closure body) {
        stage.when = { conditions = []; body(); conditions.every() }
    }

    def anyOf(Closure body) {
        def outer = conditions
        conditions = []
        body()
        outer << conditions.any()
        conditions = outer
    }

    def buildingTag() { conditions << (variables.TAG_NAME != null) }
    def branch(String name) { conditions << (variables.BRANCH_NAME == name) }
    def steps(Closure body) { stage.steps = body }
    def post(Closure body) { stage.post = body }
    def always(Closure body) { body() }
    def success(Closure body) { if (report.result == 'SUCCESS') { body() } }
    def script(Closure body) { body(); report.description = currentBuild.description }

    def getScm() {
        def tag = variables.TAG_NAME
        def reference = tag ? "refs/tags/$tag" : "refs/heads/$variables.BRANCH_NAME"
        [
            branches: [reference],
            userRemoteConfigs: [[url: remote, refspec: "+$reference:" + (tag ? reference : "refs/remotes/origin/$variables.BRANCH_NAME")]],
        ]
    }

    def scmGit(Map settings) { settings }
    def cloneOption(Map option) { option }

    /// The commands of the git plugin.
    def checkout(Map settings) {
        def option = settings.extensions[0]
        def config = settings.userRemoteConfigs[0]
        git('init', '--quiet', '.')
        def depth = option.shallow ? ['--depth', '1'] : []
        git('fetch', '--quiet', option.noTags ? '--no-tags' : '--tags', '--force', *depth, '--', config.url, config.refspec)
        def local = config.refspec.split(':')[1]
        git('checkout', '--quiet', '-f', local)
    }

    def git(String... words) { run(['git'] + words.toList(), false) }

    /// `sh` runs a script without a shebang line by `sh -xe`.
    def sh(String script) { sh(script: script) }

    def sh(Map call) {
        def file = File.createTempFile('script', '.sh')
        file.text = call.script
        try { run(['/bin/sh', '-xe', file.path], call.returnStdout == true) } finally { file.delete() }
    }

    def run(List words, boolean returnsOutput) {
        def builder = new ProcessBuilder(words*.toString()).directory(workspace).redirectInput(new File('/dev/null'))
        builder.environment().clear()
        builder.environment().putAll(variables.findAll { it.value != null }.collectEntries { [it.key, it.value.toString()] })
        if (!returnsOutput) { builder.redirectErrorStream(true) } else { builder.redirectError(ProcessBuilder.Redirect.INHERIT) }
        def process = builder.start()
        def output = process.inputStream.text
        if (!returnsOutput) { print output }
        if (process.waitFor() != 0) { throw new Failed("script returned exit code ${process.exitValue()}") }
        returnsOutput ? output : null
    }

    def stash(Map what) {
        java.nio.file.Files.copy(new File(workspace, what.includes).toPath(), new File(variables.JENKINS_STASH, what.name).toPath(), java.nio.file.StandardCopyOption.REPLACE_EXISTING)
    }

    /// Copies the file that an earlier stage stashed.
    def unstash(String name) {
        new File(workspace, 'build').mkdirs()
        java.nio.file.Files.copy(new File(variables.JENKINS_STASH, name).toPath(), new File(workspace, 'build/App.ipa').toPath(), java.nio.file.StandardCopyOption.REPLACE_EXISTING)
    }

    def junit(Map settings) { present(settings.testResults, settings.allowEmptyResults, report.junit) }
    def archiveArtifacts(Map settings) { present(settings.artifacts, settings.allowEmptyArchive, report.artifacts) }

    def present(String name, boolean mayBeMissing, List list) {
        if (new File(workspace, name).exists()) { list << name } else if (!mayBeMissing) { throw new Failed("no $name") }
    }
}

def (jenkinsfile, workspace, remote, reportFile) = args
Pipeline.workspace = new File(workspace)
Pipeline.remote = remote
def configuration = new CompilerConfiguration(scriptBaseClass: 'Pipeline')
new GroovyShell(Pipeline.classLoader, new Binding(), configuration).evaluate(new File(jenkinsfile))
new File(reportFile).text = JsonOutput.toJson(Pipeline.report)
System.exit(Pipeline.report.result == 'SUCCESS' ? 0 : 1)
